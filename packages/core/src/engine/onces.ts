import { DEV } from '#checks'
import { checkOpen, isClaimed } from '../call.ts'
import type { Host } from '../host.ts'
import { type Json, strictJson, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { RunContext } from '../run.ts'
import { hasNote, noteOf, onceKey, openCall } from '../state.ts'

interface Once {
  readonly name: string
  readonly fn: () => unknown
  readonly call: string | undefined
  /** Throws if the work that calls it is over. */
  check(): void
}

type Running = Pick<Once, 'name' | 'call'> & { readonly result: Promise<Json> }

/** Runs functions once and persists their results in the log. Concurrent callers get the same result. */
export class Onces {
  readonly #log: Pick<RunContext, 'state' | 'emit' | 'durable'>
  readonly #host: Pick<Host, 'perform'>
  readonly #running = new Map<string, Running>()

  constructor(log: Pick<RunContext, 'state' | 'emit' | 'durable'>, host: Pick<Host, 'perform'>) {
    this.#log = log
    this.#host = host
  }

  async run(once: Once): Promise<Json> {
    const log = this.#log
    const { name, fn, call } = once
    assertOption(typeof fn === 'function', DEV && 'Give once() a key and a function.')
    const key = onceKey(name, call)
    const { state } = log
    if (hasNote(state, key, call)) {
      // The note may not be durable yet. A caller must not act on a value that a crash could lose.
      await log.durable()
      return toJson(noteOf(state, key, call))
    }
    const begin = () => this.#begin(key, once).finally(() => this.#running.delete(key))
    const running = this.#running.get(key) ?? { name, call, result: begin() }
    this.#running.set(key, running)
    // Each caller may change the value it gets, and the log has the same value.
    return toJson(await running.result)
  }

  /** Notes a call's running `once` functions before it asks: a waiting call is idle, and restarts after a crash. */
  noteRunning(call: string): void {
    for (const running of this.#running.values()) if (running.call === call) this.#noteBegun(call, running.name)
  }

  /** Returns true if a function of the call runs now. */
  isRunning(call: string): boolean {
    for (const running of this.#running.values()) if (running.call === call) return true
    return false
  }

  async #begin(key: string, { name, fn, call, check }: Once): Promise<Json> {
    const log = this.#log
    // An abandoned tool may still continue, and the model may have called it again.
    checkOpen(log.state, call)
    const body = async (): Promise<Json> => {
      // A stop, or the end of the call's time, may have come while the events before the effect were written.
      check()
      return strictJson(await fn(), `The result of once("${name}")`)
    }
    const of = openCall(log.state, call ?? '')
    // A call whose reply the journal refused may work on: it has begun again.
    if (of?.claimedAt !== undefined && !isClaimed(of)) log.emit({ type: 'claimed', call: of.key })
    else if (of?.status === 'waiting') this.#noteBegun(of.key, name)
    // The events that led to a step's effect must be in the journal before it. So must, for a call that has asked,
    // whether it still waits.
    const writing = call === undefined ? log.durable() : of?.questions && log.durable('strict')
    if (writing) await writing
    // A tool's whole function is one effect already.
    const value = await (call === undefined ? this.#host.perform({ kind: 'once', key }, body) : body())
    checkOpen(log.state, call)
    log.emit({ type: 'noted', key, value, ...(call !== undefined && { call }) })
    await log.durable()
    return value
  }

  #noteBegun(call: string, name: string): void {
    const { state } = this.#log
    const isNoted = openCall(state, call)?.effects?.includes(name) || hasNote(state, onceKey(name, call), call)
    if (!isNoted) this.#log.emit({ type: 'effectBegun', call, name })
  }
}
