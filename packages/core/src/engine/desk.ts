import { callOver } from '../call.ts'
import type { Host } from '../host.ts'
import type { Json } from '../json.ts'
import type { Log } from '../log/log.ts'
import type { Ask } from '../question.ts'
import type { Activity, Clock } from '../run.ts'
import { isOwnLimit } from '../signal.ts'
import { type Asker, engineOf, type OpenQuestions, type QuestionDesk, type TypedQuestion } from '../typedQuestion.ts'
import { Onces } from './onces.ts'
import { replyToLimit } from './replyToLimit.ts'

/** An activity that waits for users on its own: the run, one of its calls, a branch. */
class LocalActivity implements Activity, Asker {
  clock: Clock | undefined = undefined
  unreceived: unknown = undefined
  readonly call: string | undefined
  readonly #desk: Desk
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

  constructor(desk: Desk, whole?: LocalActivity, call?: string) {
    this.#desk = desk
    this.#whole = whole
    this.call = call
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
    const answer = await this.#desk.questionsFor(asking).ask(id, asking, this)
    this.checkContinues()
    return answer as T
  }

  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    if (this.isOver) return Promise.reject(callOver())
    const check = (): void => this.checkContinues()
    return this.#desk.onces.run({ name: key, fn, call: this.call, check }) as Promise<T>
  }

  checkContinues(): void {
    if (this.isOver) throw callOver()
    this.#desk.checkEntered()
  }

  get isDoing(): boolean {
    return this.call !== undefined && this.#desk.onces.isRunning(this.call)
  }

  settle(key: string, reply?: Json, prompt?: string): void {
    this.#desk.questions?.settle(key, reply, prompt)
  }

  setWorking(working: boolean): void {
    this.#isWorking = working
    this.#updateClock()
    if (!working) this.#desk.notifyIfAllWait()
  }

  activity(call?: string): LocalActivity {
    const part = new LocalActivity(this.#desk, this, call)
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
    this.#desk.questions?.forget(this)
    if (whole) whole.#updateClock()
    if (this.#desk.hasParts) this.#desk.notifyIfAllWait()
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

interface DeskOptions {
  readonly host: Pick<Host, 'perform'>
  /** Called when every activity waits for a user. */
  readonly onAllWait: () => void
}

/** The place where the activities of a run ask. The code for questions comes with the first of them, or with a journal. */
export class Desk implements QuestionDesk {
  /** The run's own activity, which all others are parts of. */
  own: LocalActivity
  questions: OpenQuestions | undefined
  readonly onces: Onces
  readonly log: Log
  readonly host: DeskOptions['host']
  readonly #onAllWait: () => void
  #left: { readonly reason: unknown } | undefined = undefined

  constructor(log: Log, { host, onAllWait }: DeskOptions) {
    this.log = log
    this.host = host
    this.#onAllWait = onAllWait
    this.onces = new Onces(log, host)
    this.own = new LocalActivity(this)
    this.questions = log.engine?.questions.open(this)
  }

  get hasParts(): boolean {
    return this.own.hasParts
  }

  get areWaiting(): boolean {
    return this.own.isWaiting
  }

  get isLeft(): boolean {
    return this.#left !== undefined
  }

  /** True if every activity waits for a user. */
  get allWait(): boolean {
    return this.questions?.allWait === true
  }

  /** Returns the open questions, which the first question brings. */
  questionsFor(question: TypedQuestion<unknown>): OpenQuestions {
    const engine = engineOf(question)
    this.questions ??= engine.open(this)
    return this.questions
  }

  notifyIfAllWait(): void {
    if (this.allWait) this.#onAllWait()
  }

  noteRunning(call: string): void {
    this.onces.noteRunning(call)
  }

  /** Allows work to ask. Parts of earlier work that ignored its stop may still run: they neither ask nor count. */
  enter(): void {
    this.#left = undefined
    if (!this.hasParts) return
    this.own.end()
    this.own = new LocalActivity(this)
  }

  /** Ends all waits, and those that would start before `enter`. */
  leave(reason: unknown): void {
    this.#left = { reason }
    this.questions?.leave(reason)
  }

  /** Throws once the work was left, as by a stop. */
  checkEntered(): void {
    if (this.#left) throw this.#left.reason
  }

  /** Withdraws the questions of code that has not asked them again after a reload: nothing waits for their replies. */
  withdrawOrphaned(): void {
    for (const open of this.log.state.asks)
      if (!isOwnLimit(open) && !this.questions?.isAwaited(open.id)) this.log.emit({ type: 'withdrawn', ask: open.id })
  }

  /** Validates and records a reply. Returns its question. */
  reply(id: string, value: unknown): Promise<Ask> {
    return this.questions ? this.questions.reply(id, value) : replyToLimit(this.log, id, value)
  }
}
