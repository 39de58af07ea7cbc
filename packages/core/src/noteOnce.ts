import { checkOpen } from './callOver.ts'
import type { Host } from './host.ts'
import { type Json, strictJson, toJson } from './json.ts'
import { notesOf } from './notesOf.ts'
import type { RunContext } from './run.ts'

export type NoteOnce = (key: string, fn: () => unknown, call: string | undefined) => Promise<Json>

interface Once {
  readonly key: string
  readonly name: string
  readonly fn: () => unknown
  readonly call: string | undefined
}

/** Does something once and keeps the result in the log. Who asks at the same time gets the one result. */
export function noteOnce(log: Pick<RunContext, 'state' | 'emit' | 'durable'>, host: Pick<Host, 'perform'>): NoteOnce {
  const running = new Map<string, Promise<Json>>()

  const run = async ({ key, name, fn, call }: Once): Promise<Json> => {
    const body = async (): Promise<Json> => strictJson(await fn(), `The result of once("${name}")`)
    // What a tool does is one effect already.
    const value = await (call === undefined ? host.perform({ kind: 'once', key }, body) : body())
    checkOpen(log.state, call)
    log.emit({ type: 'noted', key, value, ...(call !== undefined && { call }) })
    await log.durable()
    return value
  }

  return async (name, fn, call) => {
    const key = call === undefined ? `once/${name}` : `${call}/once/${name}`
    const known = notesOf(log.state, call)
    if (Object.hasOwn(known, key)) {
      // It may have been noted a moment ago: whoever acts on a value that is lost would be given another one the next time.
      await log.durable()
      return toJson(known[key])
    }
    const result = running.get(key) ?? run({ key, name, fn, call }).finally(() => running.delete(key))
    running.set(key, result)
    // Each caller may change what it is given, and the log has the same value.
    return toJson(await result)
  }
}
