import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  '`/tabs` | `acrossTabs`: one tab owns a run, the others follow it | 20': [budget('@interleave/connect/tabs')],
  '`/worker` | `workerAgent`: the run executes in a Worker or SharedWorker | 19': [
    budget('an agent of a worker, in the page'),
  ],
  '`/http` | `remoteAgent`: the run executes behind a server | 24': [budget('an agent of a server, in the page')],
}
