import type { Asking } from './ask.ts'
import { checkReply } from './checkReply.ts'
import { AgentError } from './error.ts'
import { type Json, toJson } from './json.ts'
import type { Log } from './log.ts'
import { latestTurn, openCalls } from './openCalls.ts'
import type { Ask } from './question.ts'
import type { Activity } from './run.ts'
import type { RunState } from './state.ts'

/** The questions of a run, and who waits for their answers. */
export interface People {
  activity(call?: string): Activity
  /** Checks and records a reply, and wakes whoever waits for it. Gives the question. */
  reply(id: string, value: unknown): Promise<Ask>
  /** Whether nothing goes on but waiting for people. */
  allWait(): boolean
  /** Ends all waits. */
  leave(reason: unknown): void
}

interface Waiter {
  readonly asking: Asking<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** `onAllWait` is called when every activity waits for a person. */
export function createPeople(log: Log, onAllWait: () => void): People {
  const waiters = new Map<string, Waiter>()
  const activities = new Set<{ waits: number }>()

  const allWait = (): boolean => {
    if (waiters.size === 0) return false
    for (const { waits } of activities) if (waits === 0) return false
    return true
  }
  const lookIfAllWait = (): void => {
    if (allWait()) onAllWait()
  }

  const wait = <T>(id: string, asking: Asking<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiters.set(id, { asking: asking as Asking<unknown>, resolve: resolve as (value: unknown) => void, reject })
    })

  /** A tool that asks twice at the same time gets the one result. */
  const once = new Map<string, Promise<Json>>()
  const runOnce = async (key: string, fn: () => unknown, call: string | undefined): Promise<Json> => {
    const value = toJson(await fn())
    if (call !== undefined && !isOpen(log.state, call)) throw over()
    log.emit({ type: 'noted', key, value, ...(call !== undefined && { call }) })
    await log.durable()
    return value
  }

  const activity = (call?: string): Activity => {
    // Work without a call is the loop's own: while it has calls under way, they decide whether the run rests.
    const self = { waits: 0 }
    if (call !== undefined) activities.add(self)
    const made: Activity = {
      async ask<T>(id: string, asking: Asking<T>): Promise<T> {
        const known = notesOf(log.state, call)
        if (Object.hasOwn(known, id)) {
          const checked = await asking.check(known[id])
          if (checked.ok) return checked.value as T
        }
        const question = await asking.question
        if (call !== undefined && !isOpen(log.state, call)) throw over()
        if (!log.state.asks.some((open) => open.id === id)) {
          log.emit({ type: 'asked', ask: { ...question, id, ...(call !== undefined && { call }) } })
        }
        const answer = wait(id, asking)
        if (self.waits++ === 0) made.onWait?.(true)
        lookIfAllWait()
        try {
          return await answer
        } finally {
          if (--self.waits === 0) made.onWait?.(false)
        }
      },
      async once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
        const noted = call === undefined ? `once/${key}` : `${call}/once/${key}`
        const known = notesOf(log.state, call)
        if (Object.hasOwn(known, noted)) return known[noted] as T
        const running = once.get(noted) ?? runOnce(noted, fn, call).finally(() => once.delete(noted))
        once.set(noted, running)
        return running as Promise<T>
      },
      end() {
        activities.delete(self)
        if (activities.size > 0) lookIfAllWait()
      },
    }
    return made
  }

  return {
    activity,
    allWait,
    async reply(id, value) {
      const ask = log.state.asks.find((open) => open.id === id)
      if (!ask) {
        const open = log.state.asks.map((other) => other.id).join(', ')
        throw new AgentError('ask_unknown', `There is no open question "${id}". Open are: ${open || 'none'}.`)
      }
      const waiter = waiters.get(id)
      const checked = await (waiter ? waiter.asking.check(value) : checkReply(ask, value))
      if (!checked.ok) throw new AgentError('reply_invalid', checked.message)
      if (!log.state.asks.includes(ask))
        throw new AgentError('ask_unknown', `The question "${id}" was answered meanwhile.`)
      log.emit({ type: 'replied', ask: id, value: toJson(value) })
      waiters.delete(id)
      waiter?.resolve(checked.value)
      return ask
    },
    leave(reason) {
      const left = [...waiters.values()]
      waiters.clear()
      for (const waiter of left) waiter.reject(reason)
    },
  }
}

function notesOf(state: RunState, call: string | undefined): Readonly<Record<string, Json>> {
  if (call === undefined) return state.notes
  return latestTurn(state)?.calls.find(({ key }) => key === call)?.notes ?? {}
}

const isOpen = (state: RunState, call: string): boolean => openCalls(state).some(({ key }) => key === call)

/** For a function that goes on after its call was given up: it has nobody to ask any more. */
const over = (): AgentError => new AgentError('stopped', 'This call is over: it was stopped, or its time was up.')
