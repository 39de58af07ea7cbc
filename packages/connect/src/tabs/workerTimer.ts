/** Timers of a worker, which are on time also when the page is hidden. */
export interface WorkerTimer {
  set(id: number, ms: number): void
}

const source = 'onmessage = ({ data: [id, ms] }) => setTimeout(postMessage, ms, id)'

/** One that never rings, where the page may not start a worker. */
export function createWorkerTimer(ring: (id: number) => void): WorkerTimer {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    const worker = new Worker(trusted(url))
    worker.onmessage = ({ data }) => ring(data)
    // A policy that forbids it shows itself here, later.
    worker.onerror = (event) => event.preventDefault()
    return { set: (id, ms) => worker.postMessage([id, Math.min(ms, 2_147_483_647)]) }
  } catch {
    return { set() {} }
  }
}

interface Policy {
  createScriptURL(url: string): string
}
let policy: Policy | undefined

/** The address for a page that demands Trusted Types: its policy has to allow the name `interleave`, once. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
  }
  policy ??= trustedTypes?.createPolicy('interleave', { createScriptURL: (own) => own })
  return policy?.createScriptURL(url) ?? url
}
