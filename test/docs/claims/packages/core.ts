import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'A first agent is 29 kB gzip.': [budget('an agent with a tool')],
}
