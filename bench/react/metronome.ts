/** Calls back so many times a second, each time in a task of its own, until it is over. */
export function metronome({ perSecond, times }: Beat, tick: (index: number) => void): Promise<void> {
  // Timers of a page come no oftener than every 4 ms. A worker that sleeps is on time.
  const source = `(${beat})(${perSecond}, ${times})`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<number>) => {
      tick(data)
      if (data < times - 1) return
      worker.terminate()
      resolve()
    }
  })
}

export interface Beat {
  readonly perSecond: number
  readonly times: number
}

/** Runs in the worker. */
function beat(perSecond: number, times: number): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  const begin = performance.now()
  for (let index = 0; index < times; index++) {
    const due = begin + (index * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 0) Atomics.wait(sleeper, 0, 0, early)
    postMessage(index)
  }
}
