import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  '`agUiEvents(run)`, `toAgUi(log)` | a run as events, live or stored | 6': [budget('a run as AG-UI events')],
  '`agUiAgent({ url })` | an agent behind AG-UI, for `delegate()` | 13 with all of the package': [
    budget('@interleave/ag-ui'),
  ],
}
