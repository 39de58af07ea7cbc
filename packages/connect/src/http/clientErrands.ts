import { createErrands } from '../errands.ts'
import type { Answer } from '../pageMessage.ts'
import type { PageFunction } from '../performTool.ts'
import { toWireError } from '../wireError.ts'
import { isTaken } from './answers.ts'
import type { ClientErrand } from './frame.ts'
import { mayPass, type Server } from './server.ts'

/** Remote calls from a server to this page. Each is carried out once, however often it is sent. */
export interface ClientErrands {
  take(runId: string, errand: ClientErrand): void
  /** A stream of the run begins, or there is none any more. What the server has the answers to by now, it does not tell again. */
  renew(runId: string): void
}

export interface ClientErrandsOptions {
  readonly tools: Readonly<Record<string, PageFunction>>
  readonly server: Pick<Server, 'call'>
  /** The name of this client. */
  readonly client: string
}

interface Errand {
  readonly runId: string
  /** Its result, if the server has not accepted it. */
  untaken: Told | undefined
}
type Told = Extract<Answer, { readonly type: 'output' | 'failed' }>

export function createClientErrands({ tools, server, client }: ClientErrandsOptions): ClientErrands {
  const open = new Map<string, Errand>()
  /** Finished calls, by run: the current stream may send them once more. */
  const over = new Map<string, Set<string>>()

  const end = (call: string): void => {
    const errand = open.get(call)
    if (!errand) return
    open.delete(call)
    over.set(errand.runId, (over.get(errand.runId) ?? new Set()).add(call))
  }
  const post = async (runId: string, body: object): Promise<boolean> => {
    const path = `runs/${encodeURIComponent(runId)}/answers?client=${client}`
    return isTaken(await server.call(path, { method: 'POST', body, signal: new AbortController().signal }))
  }
  const tell = async (runId: string, said: Told): Promise<boolean> => {
    const { call } = said
    if (said.type === 'failed') return post(runId, { call, error: said.error })
    try {
      return await post(runId, { call, output: said.value })
    } catch (error) {
      if (mayPass(error)) throw error
      // What the server refuses, such as too much at once, the model is to know. The run would wait for it otherwise.
      return post(runId, { call, error: toWireError(error, 'tool_failed') })
    }
  }
  const answer = async (said: Answer): Promise<void> => {
    const errand = open.get(said.call)
    if (!errand || (said.type !== 'output' && said.type !== 'failed')) return
    errand.untaken = undefined
    // Who does not hear of it asks again, or takes the page for gone.
    if (await tell(errand.runId, said).catch(() => false)) end(said.call)
    else errand.untaken = said
  }
  const errands = createErrands({ tools, models: {}, send: (said) => void answer(said) })

  return {
    take(runId, errand) {
      const { type, call } = errand
      const known = open.get(call)
      if (type === 'abort') {
        // Nobody waits for it any more.
        end(call)
        errands.perform(errand)
      } else if (known) {
        if (known.untaken) void answer(known.untaken)
      } else if (!over.get(runId)?.has(call)) {
        open.set(call, { runId, untaken: undefined })
        errands.perform(errand)
      }
    },
    renew: (runId) => void over.delete(runId),
  }
}
