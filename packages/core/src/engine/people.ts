import { DEV } from '#checks'
import type { TypedQuestion } from '../ask.ts'
import { limitChanges } from '../changes/limits.ts'
import { permissionChanges } from '../changes/permissions.ts'
import { questionChanges } from '../changes/questions.ts'
import { deferred } from '../deferred.ts'
import { AgentError, isAgentError, messageOf } from '../error.ts'
import type { Host } from '../host.ts'
import { asPlain, type Json, toJson } from '../json.ts'
import type { Log } from '../log/log.ts'
import { assertOption } from '../options.ts'
import { type Ask, checkReply } from '../question.ts'
import type { Activity, Clock } from '../run.ts'
import type { Checked } from '../schema.ts'
import { isOwnLimit } from '../signal.ts'
import { hasNote, noteOf, type RunState } from '../state.ts'
import {
  allowedFor,
  callOver,
  checkOpen,
  checkQuestion,
  idOf,
  idsOf,
  isOfOnce,
  keyOf,
  Onces,
  replacing,
} from './asks.ts'

/** A waiter for a reply. Ending the wait counts immediately; the waiting code continues soon after. */
class Waiter {
  readonly asking: TypedQuestion<unknown>
  readonly activity: LocalActivity
  /** Set once its answer is recorded. A check of the same reply may still be running. */
  settled = false
  readonly #id: string
  readonly #answered = deferred<unknown>()

  constructor(id: string, asking: TypedQuestion<unknown>, activity: LocalActivity) {
    this.#id = id
    this.asking = asking
    this.activity = activity
    // If the host never begins to wait, nothing handles the rejection.
    this.answer.catch(() => {})
  }

  get answer(): Promise<unknown> {
    return this.#answered.promise
  }

  answerWith(value: unknown): void {
    this.#leave()
    this.#answered.resolve(value)
  }

  giveUp(reason: unknown): void {
    this.#leave()
    this.#answered.reject(reason)
  }

  #leave(): void {
    this.activity.people.waiters.delete(this.#id)
    this.activity.countAnswers(-1)
  }
}

/** An activity that waits for users on its own: the run, one of its calls, a branch. */
class LocalActivity implements Activity {
  clock: Clock | undefined = undefined
  readonly people: People
  readonly #call: string | undefined
  readonly #whole: LocalActivity | undefined
  /** Its parts. While it has some, they decide whether it waits. */
  #parts: Set<LocalActivity> | undefined = undefined
  /** The number of replies that it waits for. */
  #answers = 0
  /** True if it works although questions are open. */
  #isWorking = false
  /** The last state reported to its clock. */
  #wasWaiting = false
  #hasEnded = false

  constructor(people: People, whole?: LocalActivity, call?: string) {
    this.people = people
    this.#whole = whole
    this.#call = call
  }

  get hasParts(): boolean {
    return this.#parts !== undefined && this.#parts.size > 0
  }

  get isWaiting(): boolean {
    if (!this.hasParts) return this.#answers > 0 && !this.#isWorking
    for (const part of this.#parts ?? []) if (!part.isWaiting) return false
    return true
  }

  /** True once it or the whole has ended. Its code may work on, if it ignores a stop. */
  get isOver(): boolean {
    return this.#hasEnded || this.#whole?.isOver === true
  }

  async ask<T>(id: string, asking: TypedQuestion<T>): Promise<T> {
    if (this.isOver) throw callOver()
    const answer = await this.people.ask(id, asking, this, this.#call)
    this.checkGoesOn()
    return answer as T
  }

  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    if (this.isOver) return Promise.reject(callOver())
    const check = (): void => this.checkGoesOn()
    return this.people.onces.run({ name: key, fn, call: this.#call, check }) as Promise<T>
  }

  checkGoesOn(): void {
    if (this.isOver) throw callOver()
    this.people.checkEntered()
  }

  get isDoing(): boolean {
    return this.#call !== undefined && this.people.onces.isRunning(this.#call)
  }

  settle(key: string, reply?: Json, prompt?: string): void {
    this.people.settle(key, reply, prompt)
  }

  setWorking(working: boolean): void {
    this.#isWorking = working
    this.#updateClock()
    if (!working) this.people.notifyIfAllWait()
  }

  activity(call?: string): LocalActivity {
    const part = new LocalActivity(this.people, this, call)
    this.#parts ??= new Set()
    this.#parts.add(part)
    this.#updateClock()
    return part
  }

  end(): void {
    const whole = this.#whole
    this.#hasEnded = true
    if (whole) whole.#parts?.delete(this)
    // A question of the same key that is asked later, as after a failure, has an answer of its own.
    this.people.forget(this)
    if (whole) whole.#updateClock()
    if (this.people.own.hasParts) this.people.notifyIfAllWait()
  }

  /** Changes the number of replies that it waits for. */
  countAnswers(more: 1 | -1): void {
    this.#answers += more
    this.#updateClock()
  }

  /** Reports the change to its clock, and to those of the activities that it is a part of. */
  #updateClock(): void {
    const waits = this.isWaiting
    if (waits !== this.#wasWaiting) {
      this.#wasWaiting = waits
      if (waits) this.clock?.stop()
      else this.clock?.start()
    }
    if (this.#whole) this.#whole.#updateClock()
  }
}

interface PeopleOptions {
  readonly host: Pick<Host, 'perform'>
  /** Called when every activity waits for a user. */
  readonly onAllWait: () => void
}

/** The questions of a run and their waiters. */
export class People {
  /** The run's own activity, which all others are parts of. */
  own: LocalActivity
  readonly onces: Onces
  /** The waiters, by the id of their question. */
  readonly waiters: Map<string, Waiter> = new Map()
  readonly #log: Log
  readonly #host: PeopleOptions['host']
  readonly #onAllWait: () => void
  #left: { readonly reason: unknown } | undefined = undefined

  constructor(log: Log, { host, onAllWait }: PeopleOptions) {
    this.#log = log
    this.#host = host
    this.#onAllWait = onAllWait
    // A question may be of any kind.
    for (const changes of [questionChanges, limitChanges, permissionChanges]) log.learn(changes)
    this.onces = new Onces(log, host)
    this.own = new LocalActivity(this)
  }

  /** Returns true if every activity waits for a user. */
  get allWait(): boolean {
    return this.waiters.size > 0 && (!this.own.hasParts || this.own.isWaiting)
  }

  notifyIfAllWait(): void {
    if (this.allWait) this.#onAllWait()
  }

  /** Allows work to ask. Parts of earlier work that ignored its stop may still run: they neither ask nor count. */
  enter(): void {
    this.#left = undefined
    if (!this.own.hasParts) return
    this.own.end()
    this.own = new LocalActivity(this)
  }

  /** Ends all waits, and those that would start before `enter`. */
  leave(reason: unknown): void {
    this.#left = { reason }
    for (const waiter of [...this.waiters.values()]) waiter.giveUp(reason)
  }

  /** Throws once the work was left, as by a stop. */
  checkEntered(): void {
    if (this.#left) throw this.#left.reason
  }

  /** Forgets the questions of an activity that is over. */
  forget(activity: LocalActivity): void {
    for (const [id, waiter] of this.waiters) if (waiter.activity === activity) this.waiters.delete(id)
  }

  /** Withdraws the questions of code that has not asked them again after a reload: nothing waits for their replies. */
  withdrawUnheard(): void {
    for (const open of this.#log.state.asks)
      if (!isOwnLimit(open) && !this.waiters.has(open.id)) this.#log.emit({ type: 'withdrawn', ask: open.id })
  }

  async ask(
    key: string,
    asking: TypedQuestion<unknown>,
    activity: LocalActivity,
    call: string | undefined,
  ): Promise<unknown> {
    const log = this.#log
    assertOption(typeof key === 'string', DEV && 'Give run.ask() a key and a question.')
    // Loaded before anything else: after a reload, the answer may arrive meanwhile.
    const question = await (Object(asking) as typeof asking).question
    const built = checkQuestion(asPlain({ ...question, id: key, ...(call !== undefined && { call }) }), log.engine)
    // Only an answer to this very question counts, whatever was asked under this key before.
    const { id, isAnswered } = identify(log.state, built)
    if (isAnswered || this.#isAllowed({ ...built, id })) {
      const checked = await asking.check(structuredClone(noteOf(log.state, id, call)))
      if (checked.ok) {
        await log.durable()
        // The permission that answered it may have been taken back meanwhile.
        if (hasNote(log.state, id, call)) return checked.value
        return this.ask(key, asking, activity, call)
      }
    }
    checkOpen(log.state, call)
    this.checkEntered()
    const asked = { ...built, id }
    for (const open of log.state.asks) if (this.#isReplaced(open, asked)) log.emit({ type: 'withdrawn', ask: open.id })
    // The waiter exists before the question is asked, because a listener may stop the run at once.
    const { answer } = this.waiters.get(id) ?? this.#wait(id, asking, activity)
    if (call !== undefined) this.onces.noteRunning(call)
    if (!log.state.asks.some((open) => open.id === id)) log.emit({ type: 'asked', ask: asked })
    this.notifyIfAllWait()
    await this.#host.perform({ kind: 'wait', key: id, ask: asked }, () => answer.then(() => null))
    const given = await answer
    // The caller may act on the answer, so it must be durable: if it were lost, the next answer could differ.
    await log.durable()
    return given
  }

  /**
   * Returns true if an earlier reply answers the question, and records that. A question that is open already stays open
   * until a user answers it.
   */
  #isAllowed(ask: Ask): boolean {
    const { state } = this.#log
    const allowed = allowedFor(state.allowed, ask)
    if (!allowed || this.#left || state.asks.some((open) => isOfSame(open, ask))) return false
    checkOpen(state, ask.call)
    this.#log.emit({ type: 'allowed', ask, by: allowed.id })
    return true
  }

  #wait(id: string, asking: TypedQuestion<unknown>, activity: LocalActivity): Waiter {
    const waiter = new Waiter(id, asking, activity)
    this.waiters.set(id, waiter)
    activity.countAnswers(1)
    return waiter
  }

  /** Returns true if this question replaces the open one, which was asked before a reload and has no waiter. */
  #isReplaced(open: Ask, ask: Ask): boolean {
    return !this.waiters.has(open.id) && open.id !== ask.id && isOfSame(open, ask)
  }

  settle(key: string, reply?: Json, prompt?: string): void {
    const log = this.#log
    const { state } = log
    const id = state.asks.find((open) => open.id === key || keyOf(open.id) === key)?.id ?? key
    const waiter = this.waiters.get(id)
    if (waiter && reply !== undefined) waiter.settled = true
    if (state.asks.some((open) => open.id === id)) {
      log.emit(
        reply === undefined
          ? { type: 'withdrawn', ask: id }
          : { type: 'replied', ask: id, value: reply, ...(prompt !== undefined && { prompt }) },
      )
    }
    if (reply === undefined) waiter?.giveUp(callOver())
    else waiter?.answerWith(structuredClone(reply))
  }

  /** Validates and records a reply, and wakes its waiter. Returns the question. */
  async reply(id: string, value: unknown): Promise<Ask> {
    const log = this.#log
    const asked = findAsk(log.state, id)
    const waiter = this.waiters.get(id)
    // The log gets the very value that was checked. The check and the log have copies of their own.
    const plain = toReply(value)
    const checked = await (waiter ? checkBy(waiter.asking, structuredClone(plain)) : checkReply(asked, plain))
    if (waiter?.settled) return asked
    // The asking code resumed meanwhile, and its own check decides.
    if (this.waiters.get(id) !== waiter && findAsk(log.state, id)) return this.reply(id, plain)
    if (!checked.ok) throw new AgentError(checked.code ?? 'reply_invalid', checked.message)
    if (findAsk(log.state, id) !== asked)
      throw new AgentError('ask_unknown', `The question "${id}" was asked again meanwhile.`)
    const taken = waiter && asked.call !== undefined && asked.kind !== 'approval'
    const prompt = approvedPrompt(asked, checked.value)
    const more = { ...(prompt !== undefined && { prompt }), ...(taken && { taken }) }
    log.emit({ type: 'replied', ask: id, value: plain ?? null, ...more })
    waiter?.answerWith(checked.value)
    this.notifyIfAllWait()
    return asked
  }
}

/** Checks a reply as the asking code does. What that code throws is its own failure, and no fault of the reply or the host. */
async function checkBy(asking: TypedQuestion<unknown>, reply: Json | undefined): Promise<Checked> {
  try {
    return await asking.check(reply)
  } catch (error) {
    throw isAgentError(error) ? error : new AgentError('step_failed', messageOf(error), { cause: error })
  }
}

/** Returns the prompt of an edited input that is approved, if it is another one than that of the question. */
function approvedPrompt(asked: Ask, checked: unknown): string | undefined {
  const { approved, prompt }: { readonly approved?: unknown; readonly prompt?: unknown } =
    asked.kind === 'approval' ? Object(checked) : {}
  return approved === true && typeof prompt === 'string' && prompt !== asked.prompt ? prompt : undefined
}

/** Returns true if both are asked under one key: a question, and the one that replaces it. */
const isOfSame = (a: Pick<Ask, 'id' | 'call'>, b: Pick<Ask, 'id' | 'call'>): boolean =>
  a.call === b.call && keyOf(a.id) === keyOf(b.id)

/** Returns the id of a question, and whether the log has its answer. */
function identify(state: RunState, built: Ask): { readonly id: string; readonly isAnswered: boolean } {
  const known = idOf(built, state)
  if (known !== undefined) return { id: known, isAnswered: hasNote(state, known, built.call) }
  // The reply would replace a result of `once`, or the reply to another question.
  const isTaken = isOfOnce(built.id, built.call) || !idsOf(state, built.id, built.call).next().done
  return { id: isTaken ? replacing(built.id, state.seq) : built.id, isAnswered: false }
}

/** Returns a reply as plain JSON; undefined if there is none. */
function toReply(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  try {
    return toJson(value)
  } catch (error) {
    throw new AgentError('reply_invalid', messageOf(error), { cause: error })
  }
}

function findAsk({ asks }: RunState, id: string): Ask {
  const found = asks.find((open) => open.id === id)
  if (found) return found
  const open = asks.length > 0 ? `It asks: ${asks.map((other) => other.id).join(', ')}.` : 'It asks nothing now.'
  throw new AgentError('ask_unknown', `This run has no open question "${id}". ${open}`)
}
