/** Timers of a worker, which are on time also when the page is hidden. */
export interface WorkerTimer {
  set(id: number, ms: number): void
}

const source = 'onmessage = ({ data: [id, ms] }) => setTimeout(postMessage, ms, id)'

/** One that never rings, where the page may not start a worker. */
export function createWorkerTimer(ring: (id: number) => void): WorkerTimer {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    const worker = new Worker(url)
    worker.onmessage = ({ data }) => ring(data)
    // A policy that forbids it shows itself here, later.
    worker.onerror = (event) => event.preventDefault()
    return { set: (id, ms) => worker.postMessage([id, Math.min(ms, 2_147_483_647)]) }
  } catch {
    return { set() {} }
  }
}
