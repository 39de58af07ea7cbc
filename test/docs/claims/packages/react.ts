import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'An agent with all hooks is 43 kB gzip, and 64 kB with `SignalOutlet`.': [
    budget('an agent with all React hooks'),
    budget('an agent with all React hooks and SignalOutlet'),
  ],
}
