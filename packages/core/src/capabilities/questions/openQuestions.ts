import { DEV } from '#checks'
import { callOver, checkOpen } from '../../call.ts'
import { questionChanges } from '../../changes/questions.ts'
import { deferred } from '../../deferred.ts'
import { AgentError, isAgentError, messageOf } from '../../error.ts'
import { findAsk } from '../../findAsk.ts'
import { asPlain, type Json, toJson } from '../../json.ts'
import { assertOption } from '../../options.ts'
import { type Ask, checkReply } from '../../question.ts'
import type { Checked } from '../../schema.ts'
import { hasNote, isOfOnce, noteOf, type RunState } from '../../state.ts'
import type { Asker, OpenQuestions, QuestionDesk, TypedQuestion } from '../../typedQuestion.ts'
import { checkQuestion, idOf, idsOf, keyOf, replacing } from './asks.ts'

/** A waiter for a reply. Ending the wait counts immediately; the waiting code continues soon after. */
class Waiter {
  readonly asking: TypedQuestion<unknown>
  readonly asker: Asker
  /** Set once its answer is recorded. A check of the same reply may still be running. */
  settled = false
  readonly #leave: () => void
  readonly #answered = deferred<unknown>()

  constructor(asking: TypedQuestion<unknown>, asker: Asker, leave: () => void) {
    this.asking = asking
    this.asker = asker
    this.#leave = leave
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
}

/** The open questions of a run and their waiters. */
export class Questions implements OpenQuestions {
  /** The waiters, by the id of their question. */
  readonly #waiters: Map<string, Waiter> = new Map()
  readonly #desk: QuestionDesk

  constructor(desk: QuestionDesk) {
    this.#desk = desk
    desk.log.learn(questionChanges)
  }

  get allWait(): boolean {
    return this.#waiters.size > 0 && (!this.#desk.hasParts || this.#desk.areWaiting)
  }

  isAwaited(id: string): boolean {
    return this.#waiters.has(id)
  }

  leave(reason: unknown): void {
    for (const waiter of [...this.#waiters.values()]) waiter.giveUp(reason)
  }

  forget(asker: Asker): void {
    for (const [id, waiter] of this.#waiters) if (waiter.asker === asker) this.#waiters.delete(id)
  }

  async ask(key: string, asking: TypedQuestion<unknown>, asker: Asker): Promise<unknown> {
    const { log, host } = this.#desk
    const { call } = asker
    if (asking.engine.changes) log.learn(asking.engine.changes)
    assertOption(typeof key === 'string', DEV && 'run.ask() needs a key before the question.')
    // Loaded before anything else: after a reload, the answer may arrive meanwhile.
    const question = await asking.question
    const built = checkQuestion(asPlain({ ...question, id: key, ...(call !== undefined && { call }) }), log.engine)
    // Only an answer to this very question counts, whatever was asked under this key before.
    const { id, isReplied } = identify(log.state, built)
    if (isReplied || this.#isAllowed({ ...built, id }, asking)) {
      const checked = await asking.check(structuredClone(noteOf(log.state, id, call)))
      if (checked.ok) {
        await log.durable()
        // The permission that answered it may have been taken back meanwhile.
        if (isAnswered(log.state, id, call)) return checked.value
        return this.ask(key, asking, asker)
      }
    }
    checkOpen(log.state, call)
    this.#desk.checkEntered()
    const asked = { ...built, id }
    for (const open of log.state.asks) if (this.#isReplaced(open, asked)) log.emit({ type: 'withdrawn', ask: open.id })
    // The waiter exists before the question is asked, because a listener may stop the run at once.
    const { answer } = this.#waiters.get(id) ?? this.#wait(id, asking, asker)
    if (call !== undefined) this.#desk.noteRunning(call)
    if (!log.state.asks.some((open) => open.id === id)) log.emit({ type: 'asked', ask: asked })
    this.#desk.notifyIfAllWait()
    await host.perform({ kind: 'wait', key: id, ask: asked }, () => answer.then(() => null))
    const given = await answer
    // The caller may act on the answer, so it must be durable: if it were lost, the next answer could differ.
    await log.durable()
    return given
  }

  /**
   * Returns true if an earlier reply answers the question, and records that. A question that is open already stays open
   * until a user answers it.
   */
  #isAllowed(ask: Ask, { engine }: TypedQuestion<unknown>): boolean {
    const { log, isLeft } = this.#desk
    const { state } = log
    const allowed = ask.kind === 'approval' ? engine.permissionFor?.(state.permissions, ask) : undefined
    if (!allowed || isLeft || state.asks.some((open) => isOfSame(open, ask))) return false
    checkOpen(state, ask.call)
    log.emit({ type: 'permitted', ask, by: allowed.id })
    return true
  }

  #wait(id: string, asking: TypedQuestion<unknown>, asker: Asker): Waiter {
    const waiter = new Waiter(asking, asker, () => {
      this.#waiters.delete(id)
      asker.countAnswers(-1)
    })
    this.#waiters.set(id, waiter)
    asker.countAnswers(1)
    return waiter
  }

  /** Returns true if this question replaces the open one, which was asked before a reload and has no waiter. */
  #isReplaced(open: Ask, ask: Ask): boolean {
    return !this.#waiters.has(open.id) && open.id !== ask.id && isOfSame(open, ask)
  }

  settle(key: string, reply?: Json, prompt?: string): void {
    const { log } = this.#desk
    const { state } = log
    const id = state.asks.find((open) => open.id === key || keyOf(open.id) === key)?.id ?? key
    const waiter = this.#waiters.get(id)
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

  async reply(id: string, value: unknown): Promise<Ask> {
    const { log } = this.#desk
    const asked = findAsk(log.state, id)
    const waiter = this.#waiters.get(id)
    // The log gets the very value that was checked. The check and the log have copies of their own.
    const plain = toReply(value)
    const checked = await (waiter ? checkBy(waiter.asking, structuredClone(plain)) : checkReply(asked, plain))
    if (waiter?.settled) return asked
    // The asking code resumed meanwhile, and its own check decides.
    if (this.#waiters.get(id) !== waiter && findAsk(log.state, id)) return this.reply(id, plain)
    if (!checked.ok) throw new AgentError(checked.code ?? 'reply_invalid', checked.message)
    if (findAsk(log.state, id) !== asked)
      throw new AgentError('ask_unknown', `The question "${id}" was asked again meanwhile.`)
    const awaited = waiter && asked.call !== undefined && asked.kind !== 'approval'
    const prompt = approvedPrompt(asked, checked.value)
    const more = { ...(prompt !== undefined && { prompt }), ...(awaited && { awaited }) }
    log.emit({ type: 'replied', ask: id, value: plain ?? null, ...more })
    waiter?.answerWith(checked.value)
    this.#desk.notifyIfAllWait()
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
function identify(state: RunState, built: Ask): { readonly id: string; readonly isReplied: boolean } {
  const known = idOf(built, state)
  if (known !== undefined) return { id: known, isReplied: isAnswered(state, known, built.call) }
  // The reply would replace a result of `once`, or the reply to another question.
  const isTaken = isOfOnce(built.id, built.call) || !idsOf(state, built.id, built.call).next().done
  return { id: isTaken ? replacing(built.id, state.seq) : built.id, isReplied: false }
}

/** Returns true if a question has a reply. An open one has none: an earlier reply, which no longer fitted, does not count. */
const isAnswered = (state: RunState, id: string, call: string | undefined): boolean =>
  hasNote(state, id, call) && !state.asks.some((open) => open.id === id)

/** Returns a reply as plain JSON; undefined if there is none. */
function toReply(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  try {
    return toJson(value)
  } catch (error) {
    throw new AgentError('reply_invalid', messageOf(error), { cause: error })
  }
}
