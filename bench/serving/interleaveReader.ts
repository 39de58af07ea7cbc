import { remoteAgent } from '@interleave/connect/http'
import type { Run } from '@interleave/core'
import type { Read, ServedReader } from './servedReader.ts'

/** Ours, as a page has it: every event is checked, and the state of the run is made of it. */
export function interleaveReader(url: string): ServedReader {
  let bytes = 0
  const counted = async (address: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(address, init)
    if (!address.includes('/events')) return response
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        controller.enqueue(chunk)
      },
    })
    return new Response(response.body?.pipeThrough(counting), response)
  }
  const agentOf = (name: string) => remoteAgent({ url, name, fetch: counted })
  const follow = async (begin: () => Promise<Run> | Run, onDelta: (text: string) => void = () => {}): Promise<Read> => {
    bytes = 0
    const run = await begin()
    run.subscribe((event) => event.type === 'delta' && event.kind === 'text' && onDelta(event.delta))
    const { type } = await run.settled
    if (type !== 'answer') throw new Error(`The run rests with ${JSON.stringify(run.state.signal)}.`)
    const { seq: events } = run.state
    ;(run as Run & { close(): void }).close()
    return { events, bytes }
  }
  return {
    readLog: (runId) => follow(() => agentOf('worker').resume(runId)),
    readDeltas: (prompt, onDelta) => follow(() => agentOf('worker').start(prompt), onDelta),
    readPaced: (onDelta) => follow(() => agentOf('paced').start('Go'), onDelta),
  }
}
