import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'It is 3 kB gzip, without dependencies outside of Interleave.': [budget('@interleave/webmcp')],
}
