import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'The handler is 54 kB gzip, with the core.': [budget('@interleave/server')],
}
