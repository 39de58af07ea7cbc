import { type RemoteAgent, type WorkerAgentOptions, type WorkerHost, workerAgent } from '@interleave/connect/worker'

/** Pages of a host in the same process. */
export interface Pages {
  /** A new page, with an agent of the worker. */
  open(name: string, options?: WorkerAgentOptions): OpenPage
}

export interface OpenPage {
  readonly agent: RemoteAgent
  /** Lets it die: nothing of it reaches the worker any more. */
  kill(): void
}

export function connectPages(host: WorkerHost): Pages {
  return {
    open(name, options) {
      const port = new EventTarget()
      const own: MessagePort[] = []
      const worker = Object.assign(new EventTarget(), {
        postMessage(data: unknown, ports: MessagePort[]) {
          own.push(...ports)
          port.dispatchEvent(new MessageEvent('message', { data, ports }))
        },
      })
      host.connect(port)
      return {
        agent: workerAgent(worker as never, name, options),
        kill() {
          for (const each of own) each.close()
        },
      }
    },
  }
}
