import { workerAgent } from '@interleave/connect/worker'
import type { patient } from './lastingWorker.ts'
import { post } from './post.ts'

const extendedLifetime = new URLSearchParams(location.search).has('lasting')
const options: WorkerOptions = { type: 'module', ...{ extendedLifetime } }
const handle = workerAgent<typeof patient>(new SharedWorker('/lastingWorker.js', options), 'patient')

/**
 * The test does not drive this page, since a worker under a debugger does not end: it reloads itself in the middle of a
 * call.
 */
if (sessionStorage.getItem('isBegun')) {
  const run = await handle.resume('run')
  await post('back', null)
  await post('end', await run.settled)
} else {
  sessionStorage.setItem('isBegun', 'true')
  handle.start('Wait.', { id: 'run' })
  await post('called', null)
  location.reload()
}
