import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'It is 20 kB gzip, without React and the core.': [budget('@interleave/devtools')],
}
