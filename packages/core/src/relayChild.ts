import { keyOf } from './asks.ts'
import { AgentError, isAgentError } from './error.ts'
import { isKept } from './event.ts'
import type { Json } from './json.ts'
import type { Ask, Question } from './question.ts'
import type { Activity, Run, RunContext } from './run.ts'
import { keptEventsOf } from './runEvents.ts'
import type { Checked } from './schema.ts'
import type { Signal } from './signal.ts'
import { notesOf } from './state.ts'
import { addUsage, noUsage, type Usage } from './usage.ts'

interface Relayed {
  readonly child: Run
  readonly key: string
  readonly call?: string
  readonly activity: Activity
  /** Gets the replies that the child is still writing. */
  readonly replies: Set<Promise<unknown>>
}

/** Keeps a run in sync with its child run: its questions, its usage, and whether it waits. */
export function relayChild(run: RunContext, relayed: Relayed): { readonly end: Promise<Signal> } {
  const { child, key, activity, replies } = relayed
  /** The ids in this run of the child's open questions. */
  const asked = new Map<string, string>()
  let counted: Usage | undefined
  let isOver = false

  const nameOf = (id: string): string => asked.get(id) ?? `${nameAmong(child, { key, id })}>${id}`

  const ask = (open: Ask): void => {
    const { id } = open
    const name = nameOf(id)
    asked.set(id, name)
    const check = (reply: unknown): Promise<Checked> =>
      track(replies, isOver ? refuse(child) : replyTo(child, id, reply))
    const asking = { question: toQuestion(open, child), check }
    const over = (): void => void asked.delete(id)
    // The child may have asked it anew meanwhile, since the answer did not fit after all.
    const answered = (): void => {
      over()
      const anew = child.state.asks.find((other) => other.id === id)
      if (anew && !run.abortSignal.aborted) ask(anew)
    }
    activity.ask(name, asking).then(answered, over)
  }
  /**
   * Withdraws the child's questions, also those that were answered or withdrawn here before a crash that the child does
   * not know of.
   */
  const withdraw = (open: readonly Ask[]): void => {
    const names = new Set(open.map(({ id }) => nameOf(id)))
    for (const { id } of run.state.asks)
      if (isOf(key, id) && !names.has(id) && !names.has(keyOf(id))) activity.settle(id)
  }
  const follow = (): void => {
    const { asks, rest, usage } = child.state
    withdraw(asks)
    if (usage !== counted) countUsage(run, relayed)
    counted = usage
    // A run that is stopped asks no more.
    if (!run.abortSignal.aborted) for (const open of asks) if (!asked.has(open.id)) ask(open)
    activity.works(!rest)
  }

  const end = new Promise<Signal>((resolve) => {
    let leave = (): void => {}
    const look = (): void => {
      try {
        follow()
      } catch (error) {
        // The run was stopped and takes no more. What the child used up counts when it is run again.
        if (error !== run.abortSignal.reason) throw error
      }
      const { rest } = child.state
      if (!rest || rest.type === 'inputNeeded' || rest.type === 'limitReached') return
      isOver = true
      leave()
      resolve(child.settled)
    }
    leave = child.subscribe((event) => {
      if (event.type === 'replied') {
        const name = asked.get(event.ask)
        if (name !== undefined) activity.settle(name, event.value)
      }
      if (isKept(event)) look()
    })
    look()
  })
  return { end }
}

/**
 * Returns a distinct id for a question that is asked again after an answer, such as whether a twice interrupted call
 * may run. The earlier answer does not count for it.
 */
function nameAmong(child: Run, { key, id }: { key: string; id: string }): string {
  const before = keptEventsOf(child).filter((event) => event.type === 'replied' && event.ask === id).length
  return before === 0 ? key : `${key}~${before}`
}

/** Returns true if a question of this run belongs to the child. */
const isOf = (key: string, name: string): boolean => name.startsWith(`${key}>`) || name.startsWith(`${key}~`)

/** Rejects a reply to a failed child. When its parent resumes, the child continues as another object, which takes the reply. */
const refuse = async (child: Run): Promise<never> => {
  throw new AgentError('ask_unknown', `The agent "${child.state.agent}" has ended. Resume the run, then reply.`)
}

function track<T>(all: Set<Promise<unknown>>, one: Promise<T>): Promise<T> {
  all.add(one)
  const over = (): void => void all.delete(one)
  one.then(over, over)
  return one
}

/** Replies to the child's question. The child validates the reply, and the question stays open if it rejects it. */
async function replyTo(child: Run, id: string, reply: unknown): Promise<Checked> {
  try {
    await child.reply(id, reply)
    return { ok: true, value: reply }
  } catch (error) {
    if (isAgentError(error) && error.code === 'reply_invalid') return { ok: false, message: error.message }
    throw error
  }
}

function toQuestion({ id: _, call: __, from, ...question }: Ask, { state: { runId, agent } }: Run): Question {
  return Object.assign(question, { from: from ?? { runId, agent } })
}

/** Notes how much of the child's usage counts already, so that each token counts once, also after a reload. */
function countUsage({ state, emit }: RunContext, { child, key, call }: Relayed): void {
  const note = `${key}>usage`
  const counted = (notesOf(state, call)[note] ?? noUsage) as unknown as Usage
  const { usage } = child.state
  const added = addUsage(usage, timesMinusOne(counted))
  if (Object.values(added).every((count) => count === 0)) return
  emit({ type: 'noted', key: note, value: usage as unknown as Json, usage: added, ...(call !== undefined && { call }) })
}

const timesMinusOne = (usage: Usage): Usage =>
  Object.fromEntries(Object.entries(usage).map(([count, value]) => [count, -value])) as unknown as Usage
