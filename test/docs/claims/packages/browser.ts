import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'The model is 6 kB gzip, the vault 4 kB.': [budget('the built-in model of a browser'), budget('a vault for keys')],
}
