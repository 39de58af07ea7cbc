import { live } from './live.ts'

declare global {
  /** Ends the worker in the middle of what it does, and starts another one; called from outside of the page. */
  var replaceWorker: () => void
}

const search = new URLSearchParams(location.search)

function startWorker(from: number): Worker {
  search.set('since', String(from))
  return new Worker(`/worker.js?${search}`, { type: 'module' })
}

if (search.get('place') === 'worker') {
  let worker = startWorker(performance.timeOrigin)
  globalThis.replaceWorker = () => {
    worker.terminate()
    worker = startWorker(performance.timeOrigin + performance.now())
  }
} else void live()
