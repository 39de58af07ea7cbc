import { DEV } from '#checks'
import { type Allowed, type ApprovalAsk, comparedInput, originOf } from '../allowed.ts'
import { doingOf, isBegun } from '../call.ts'
import { AgentError } from '../error.ts'
import type { Host } from '../host.ts'
import type { JournalEngine } from '../journal.ts'
import { canonicalJson, isObject, type Json, sameJson, strictJson, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import { type Ask, mayAllow } from '../question.ts'
import { hasMember, latestKeys, memberOf } from '../record.ts'
import type { RunContext } from '../run.ts'
import { hasNote, holderOf, noteOf, openCall, type RunState } from '../state.ts'

/** Returns a question that a call of the latest turn, or the run itself, has asked, as it was shown. */
export const questionOf = (state: RunState, id: string, call: string | undefined): Ask | undefined =>
  memberOf(holderOf(state, call), 'questions', id)

/** Yields the ids under which a call, or the run itself, has asked a question of this key, the newest first. */
export function* idsOf(state: RunState, key: string, call: string | undefined): Generator<string, void> {
  const holder = holderOf(state, call)
  // A question replaces one of its key, or a result of `once`.
  if (!hasMember(holder, 'questions', key) && !isOfOnce(key, call)) return
  for (const id of latestKeys(holder, 'questions'))
    if (id === key || (id.startsWith(key) && keyOf(id) === key)) yield id
}

/**
 * Returns the id under which this very question was asked before: a reply belongs to the question that was shown.
 * Undefined if it was never asked under this key, or only with another prompt, input or schema. In a call only the
 * latest question of a key counts, because a user who has answered another one since may have changed their mind.
 */
export function idOf(asked: Ask, state: RunState): string | undefined {
  let canonical: string | undefined
  for (const id of idsOf(state, asked.id, asked.call)) {
    canonical ??= contentOf(asked)
    if (contentOf(questionOf(state, id, asked.call) as Ask) === canonical) return id
    if (asked.call !== undefined) return undefined
  }
  return undefined
}

/** Returns the id of a question that replaces another one, so that no answer to the old one reaches it. */
export const replacing = (key: string, seq: number): string => `${key}~re${seq}`

/** Returns the key of a question: its id without the suffix of a repeated question. */
export const keyOf = (id: string): string => id.replace(/~re\d+$/, '')

const contentOf = ({ id: _, ...question }: Ask): string => canonicalJson(toJson(question))

/** Returns the question. Throws if it could not be read back, since the whole run would then be unreadable. */
export function checkQuestion(ask: Ask, engine?: Pick<JournalEngine, 'misfitOf'>): Ask {
  const wrong = misfitOfAsk({ ...ask }) ?? engine?.misfitOf({ type: 'asked', ask })
  assertOption(wrong === undefined, DEV && `This question cannot be asked: it has a wrong or missing "${wrong}".`)
  return ask
}

/** The members of each kind of question, and their types. `validate/shapes.ts` has the same rules for logs. */
const membersOf: Readonly<Record<Ask['kind'], Readonly<Record<string, 'string' | 'number' | 'object'>>>> = {
  choice: { options: 'object' },
  choices: { options: 'object', min: 'number', max: 'number' },
  confirm: {},
  text: {},
  form: { schema: 'object' },
  link: { url: 'string' },
  approval: { tool: 'string', schema: 'object' },
  extension: { limit: 'string', used: 'number', allowed: 'number', suggested: 'number' },
}

/** Returns the path to the first invalid member of a question. */
function misfitOfAsk(ask: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof ask.prompt !== 'string') return 'prompt'
  const kind = String(ask.kind)
  if (!Object.hasOwn(membersOf, kind)) return 'kind'
  for (const [name, type] of Object.entries(membersOf[kind as Ask['kind']])) {
    // JSON turns an infinite number into null.
    const fits = ask[name] === null ? type === 'number' : typeof ask[name] === type
    if (!fits) return name
  }
  return ask.options === undefined ? undefined : misfitOfOptions(ask.options)
}

function misfitOfOptions(options: unknown): string | undefined {
  if (!Array.isArray(options)) return 'options'
  for (const [index, option] of options.entries()) {
    if (!isObject(option)) return `options.${index}`
    const { value, label, description = '', detail = '', badge = '' } = option
    for (const [name, words] of Object.entries({ value, label, description, detail, badge }))
      if (typeof words !== 'string') return `options.${index}.${name}`
  }
  return undefined
}

/** Creates the error for a function that continues after its call was abandoned: it cannot ask any more. */
export const callOver = (): AgentError =>
  new AgentError('stopped', 'This call is over: it was stopped, or its time was up.')

/** Throws for a call that is not open. */
export function checkOpen(state: RunState, call: string | undefined): void {
  if (call !== undefined && !openCall(state, call)) throw callOver()
}

interface Once {
  readonly name: string
  readonly fn: () => unknown
  readonly call: string | undefined
  /** Throws if the work that calls it is over. */
  check(): void
}

type Running = Pick<Once, 'name' | 'call'> & { readonly result: Promise<Json> }

/** Returns the key of the note with a result of `once`. */
const onceKey = (name: string, call: string | undefined): string =>
  call === undefined ? `once/${name}` : `${call}/once/${name}`

/** Returns true for the key of a note with a result of `once`. */
export const isOfOnce = (key: string, call: string | undefined): boolean => key.startsWith(onceKey('', call))

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
    for (const running of this.#running.values()) if (running.call === call) this.#noteDoing(call, running.name)
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
    if (of?.calledAt !== undefined && !isBegun(of)) log.emit({ type: 'called', call: of.key })
    else if (of?.idle) this.#noteDoing(of.key, name)
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

  #noteDoing(call: string, name: string): void {
    const key = doingOf(call) + name
    const { state } = this.#log
    const isNoted = hasNote(state, key, call) || hasNote(state, onceKey(name, call), call)
    if (!isNoted) this.#log.emit({ type: 'noted', call, key, value: true })
  }
}

/** Returns the permission that answers this question, if there is one. */
export const allowedFor = (all: readonly Allowed[] | undefined, ask: Ask): Allowed | undefined =>
  ask.kind === 'approval' ? all?.findLast((one) => allows(one, ask)) : undefined

/** Returns true if the tool has not changed, nor the input if that matters. */
function allows({ always, ask: was, input }: Allowed, is: ApprovalAsk): boolean {
  if (was.tool !== is.tool || !mayAllow(is, always) || !sameJson(toolOf(was), toolOf(is))) return false
  return always === 'tool' || sameJson(comparedInput(was, input), comparedInput(is, is.input))
}

/** Returns everything about the tool that a user relies on. A child run of the same agent has the same tool. */
const toolOf = ({ from, agent, description, schema, pure, allowBy }: ApprovalAsk): object => ({
  from: originOf(from),
  agent,
  description,
  schema,
  pure,
  allowBy,
})
