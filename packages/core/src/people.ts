import type { Asking } from './ask.ts'
import { idOf, keyOf, questionsOf, replacing } from './asked.ts'
import { callOver, checkOpen } from './callOver.ts'
import { checkQuestion } from './checkQuestion.ts'
import { checkReply } from './checkReply.ts'
import { AgentError, messageOf } from './error.ts'
import type { Host } from './host.ts'
import { asPlain, type Json, toJson } from './json.ts'
import type { Log } from './log.ts'
import { noteOnce } from './noteOnce.ts'
import { notesOf } from './notesOf.ts'
import type { Ask } from './question.ts'
import type { Activity } from './run.ts'
import type { RunState } from './state.ts'

/** The questions of a run, and who waits for their answers. */
export interface People {
  /** The run's own, which all others are parts of. */
  readonly own: Activity
  activity(call?: string): Activity
  /** Checks and records a reply, and wakes whoever waits for it. Gives the question. */
  reply(id: string, value: unknown): Promise<Ask>
  /** Whether nothing goes on but waiting for people. */
  allWait(): boolean
  /** Lets work ask. */
  enter(): void
  /** Ends all waits, and those that would begin before `enter`. */
  leave(reason: unknown): void
}

/** A question that somebody waits for. Ending the wait counts at once; what waited goes on soon after. */
interface Waiter {
  readonly asking: Asking<unknown>
  readonly answer: Promise<unknown>
  readonly waits: Waits
  /** Its answer was recorded while it was checked. */
  settled?: boolean
  end(finish: { value: unknown } | { reason: unknown }): void
}
/** How many answers an activity waits for. */
interface Waits {
  count: number
  /** It works all the same. */
  working: boolean
  /** What was told last. */
  waiting: boolean
  /** While it has parts, they decide whether it waits. */
  readonly parts: Set<Waits>
  readonly whole: Waits | undefined
  readonly activity: Activity
}

interface PeopleOptions {
  readonly host: Pick<Host, 'perform'>
  /** Called when every activity waits for a person. */
  onAllWait(): void
}

export function createPeople(log: Log, { host, onAllWait }: PeopleOptions): People {
  const waiters = new Map<string, Waiter>()
  const once = noteOnce(log, host)
  let left: { readonly reason: unknown } | undefined

  const allWait = (): boolean => waiters.size > 0 && (own.parts.size === 0 || isWaiting(own))
  const lookIfAllWait = (): void => {
    if (allWait()) onAllWait()
  }

  const wait = (id: string, asking: Asking<unknown>, waits: Waits): Waiter => {
    let settle: Waiter['end'] = () => {}
    const answer = new Promise<unknown>((resolve, reject) => {
      settle = (finish) => ('value' in finish ? resolve(finish.value) : reject(finish.reason))
    })
    const end: Waiter['end'] = (finish) => {
      waiters.delete(id)
      waits.count--
      lookIfWaiting(waits)
      settle(finish)
    }
    // Nobody hears of its end where the place never begins to wait.
    answer.catch(() => {})
    const waiter: Waiter = { asking, answer, waits, end }
    waiters.set(id, waiter)
    waits.count++
    lookIfWaiting(waits)
    return waiter
  }

  const ask = async (key: string, asking: Asking<unknown>, waits: Waits, call?: string): Promise<unknown> => {
    // Looked up after the question is loaded: after a reload, the answer may come while it is.
    const question = await asking.question
    const built = checkQuestion(asPlain({ ...question, id: key, ...(call !== undefined && { call }) }))
    // Whatever was asked before under this key, only an answer to this very question counts.
    const { id, isAnswered } = identify(log.state, built)
    if (isAnswered) {
      const checked = await asking.check(structuredClone(notesOf(log.state, call)[id]))
      if (checked.ok) {
        await log.durable()
        return checked.value
      }
    }
    checkOpen(log.state, call)
    if (left) throw left.reason
    const asked = { ...built, id }
    for (const open of log.state.asks) if (isReplaced(open, asked)) log.emit({ type: 'withdrawn', ask: open.id })
    // Before it is asked: whoever hears of it may stop the run at once.
    const { answer } = waiters.get(id) ?? wait(id, asking, waits)
    if (!log.state.asks.some((open) => open.id === id)) log.emit({ type: 'asked', ask: asked })
    lookIfAllWait()
    await host.perform({ kind: 'wait', key: id, ask: asked }, () => answer.then(() => null))
    const given = await answer
    // Whoever acts on an answer that is lost would be answered otherwise the next time.
    await log.durable()
    return given
  }

  /** Nobody waits any more for the question that this one replaces: it was asked before a reload, with other words. */
  const isReplaced = (open: Ask, { id, call }: Ask): boolean =>
    open.id !== id && open.call === call && keyOf(open.id) === keyOf(id) && !waiters.has(open.id)

  const begin = (whole?: Waits, call?: string): Waits => {
    const activity: Activity = {
      ask: <T>(id: string, asking: Asking<T>) => ask(id, asking as Asking<unknown>, waits, call) as Promise<T>,
      once: <T extends Json>(key: string, fn: () => T | PromiseLike<T>) => once(key, fn, call) as Promise<T>,
      settle(key, reply) {
        const id = log.state.asks.find((open) => open.id === key || keyOf(open.id) === key)?.id ?? key
        const waiter = waiters.get(id)
        if (waiter && reply !== undefined) waiter.settled = true
        if (log.state.asks.some((open) => open.id === id)) {
          log.emit(reply === undefined ? { type: 'withdrawn', ask: id } : { type: 'replied', ask: id, value: reply })
        }
        waiter?.end(reply === undefined ? { reason: callOver() } : { value: structuredClone(reply) })
      },
      works(working) {
        waits.working = working
        lookIfWaiting(waits)
        if (!working) lookIfAllWait()
      },
      activity: (key) => begin(waits, key).activity,
      end() {
        whole?.parts.delete(waits)
        // Nobody is left to hear the answer. Whoever asks the same again, as after a failure, waits for itself.
        for (const [id, waiter] of waiters) if (waiter.waits === waits) waiters.delete(id)
        if (whole) lookIfWaiting(whole)
        if (own.parts.size > 0) lookIfAllWait()
      },
    }
    const waits: Waits = { count: 0, working: false, waiting: false, parts: new Set(), whole, activity }
    whole?.parts.add(waits)
    lookIfWaiting(waits)
    return waits
  }
  const own = begin()

  return {
    allWait,
    own: own.activity,
    activity: own.activity.activity,
    async reply(id, value) {
      const asked = findAsk(log.state, id)
      const waiter = waiters.get(id)
      // What is checked is what is kept: the log and the one who asks are given copies of their own.
      const plain = toReply(value)
      const checked = await (waiter ? waiter.asking.check(structuredClone(plain)) : checkReply(asked, plain))
      if (waiter?.settled) return asked
      // Whoever asks came back meanwhile, and knows better what fits.
      if (waiters.get(id) !== waiter && findAsk(log.state, id)) return this.reply(id, plain)
      if (!checked.ok) throw new AgentError('reply_invalid', checked.message)
      if (findAsk(log.state, id) !== asked)
        throw new AgentError('ask_unknown', `The question "${id}" was asked anew meanwhile.`)
      const taken = waiter && asked.call !== undefined && asked.kind !== 'approval'
      log.emit({ type: 'replied', ask: id, value: plain ?? null, ...(taken && { taken }) })
      waiter?.end({ value: checked.value })
      lookIfAllWait()
      return asked
    },
    enter() {
      left = undefined
    },
    leave(reason) {
      left = { reason }
      for (const waiter of [...waiters.values()]) waiter.end({ reason })
    },
  }
}

function isWaiting({ parts, count, working }: Waits): boolean {
  if (parts.size === 0) return count > 0 && !working
  for (const part of parts) if (!isWaiting(part)) return false
  return true
}

/** Tells an activity, and those that it is a part of, when they begin and end to wait. */
function lookIfWaiting(waits: Waits): void {
  const waiting = isWaiting(waits)
  if (waiting !== waits.waiting) {
    waits.waiting = waiting
    waits.activity.onWait?.(waiting)
  }
  if (waits.whole) lookIfWaiting(waits.whole)
}

/** How a question is to be asked now, and whether the log has its answer. */
function identify(state: RunState, built: Ask): { readonly id: string; readonly isAnswered: boolean } {
  const questions = questionsOf(state, built.call)
  const known = idOf(built, questions)
  if (known !== undefined) return { id: known, isAnswered: Object.hasOwn(notesOf(state, built.call), known) }
  const isAsked = Object.keys(questions).some((id) => id === built.id || keyOf(id) === built.id)
  return { id: isAsked ? replacing(built.id, state.seq) : built.id, isAnswered: false }
}

/** A reply as plain JSON; undefined for none. */
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
  const open = asks.map((other) => other.id).join(', ')
  throw new AgentError('ask_unknown', `There is no open question "${id}". Open are: ${open || 'none'}.`)
}
