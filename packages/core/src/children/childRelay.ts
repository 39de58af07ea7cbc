import { approvalEngine } from '../capabilities/approvals/engine.ts'
import { keyOf } from '../capabilities/questions/asks.ts'
import { AgentError, isAgentError } from '../error.ts'
import { isKept } from '../event.ts'
import { asJson, fromJson } from '../json.ts'
import type { Ask, Question } from '../question.ts'
import type { Activity, Run, RunContext } from '../run.ts'
import type { Checked } from '../schema.ts'
import { isOver, type Signal } from '../signal.ts'
import { noteOf, openCall, usageOf } from '../state.ts'
import { addUsage, noUsage, type Usage } from '../usage.ts'

export interface Relayed {
  readonly child: Run
  readonly key: string
  readonly call?: string
  readonly activity: Activity
}

/** Keeps a run in sync with its child run: its questions, its usage, and whether it waits. */
export class ChildRelay {
  /** Resolves with the child's last signal, once the child waits for no reply and has no limit to extend. */
  readonly end: Promise<Signal>
  readonly #run: RunContext
  readonly #relayed: Relayed
  /** The ids in this run of the child's open questions. */
  readonly #asked = new Map<string, string>()
  #counted: Usage | undefined
  #isOver = false

  constructor(run: RunContext, relayed: Relayed) {
    this.#run = run
    this.#relayed = relayed
    this.end = new Promise((resolve) => this.#follow(resolve))
  }

  #follow(resolve: (signal: Promise<Signal>) => void): void {
    const { child, activity } = this.#relayed
    let leave = (): void => {}
    const update = untilOver(this.#run, () => this.#update())
    const updateOrEnd = (): void => {
      update()
      if (!isOver(child.state.signal?.type)) return
      this.#isOver = true
      leave()
      resolve(child.settled)
    }
    leave = child.subscribe((event) => {
      if (event.type === 'replied') {
        const name = this.#asked.get(event.ask)
        if (name !== undefined) activity.settle(name, event.value, event.prompt)
      }
      if (isKept(event)) updateOrEnd()
    })
    updateOrEnd()
  }

  #update(): void {
    const run = this.#run
    const { child, activity } = this.#relayed
    const { asks, signal, usage } = child.state
    this.#withdrawAllBut(asks)
    if (usage !== this.#counted) countUsage(run, this.#relayed)
    this.#counted = usage
    // A stopped run asks nothing.
    if (!run.abortSignal.aborted) for (const open of asks) if (!this.#asked.has(open.id)) this.#ask(open)
    // A child that is over waits for no reply, while the journal may take long to get its last signal.
    activity.setWorking(!signal || isOver(signal.type))
  }

  #ask(open: Ask): void {
    const { child, activity } = this.#relayed
    const { id } = open
    const name = this.#nameOf(id)
    this.#asked.set(id, name)
    const check = (reply: unknown): Promise<Checked> => (this.#isOver ? refuse(child) : replyTo(child, id, reply))
    const over = (): void => void this.#asked.delete(id)
    // The child may have asked again meanwhile, since the answer did not fit after all.
    const answered = (): void => {
      over()
      const again = child.state.asks.find((other) => other.id === id)
      if (again && !this.#run.abortSignal.aborted) this.#ask(again)
    }
    activity.ask(name, { question: this.#toQuestion(open), check, engine: approvalEngine }).then(answered, over)
  }

  /** Withdraws the child's other questions, also those that were settled here before a crash. */
  #withdrawAllBut(open: readonly Ask[]): void {
    const { key, activity } = this.#relayed
    const names = new Set(open.map(({ id }) => this.#nameOf(id)))
    for (const ask of this.#run.state.asks)
      if (isOf(key, ask) && !names.has(ask.id) && !names.has(keyOf(ask.id))) activity.settle(ask.id)
  }

  /**
   * Converts a child's question to one of this run. Two agents behind two tools may have the same name: a permission
   * for one does not apply to the other.
   */
  #toQuestion({ id: _, call: __, from, ...question }: Ask): Question {
    const { child, call } = this.#relayed
    const { runId, agent } = child.state
    const tool = call === undefined ? undefined : openCall(this.#run.state, call)
    const via = [tool?.name ?? agent, ...(from?.via ?? [])]
    return Object.assign(question, { from: { ...(from ?? { runId, agent }), via } })
  }

  #nameOf(id: string): string {
    return this.#asked.get(id) ?? `${nameAmong(this.#relayed, id)}>${id}`
  }
}

/** Wraps a listener to a child. Ignores its error if it acts on a run that no longer waits for the child. */
export const untilOver =
  <Args extends unknown[]>({ abortSignal }: RunContext, listener: (...args: Args) => void) =>
  (...args: Args): void => {
    try {
      listener(...args)
    } catch (error) {
      if (error !== abortSignal.reason) throw error
    }
  }

/** Returns a distinct id for a question that is asked again: the earlier answer does not count for it. */
function nameAmong({ child, key }: Relayed, id: string): string {
  const before = child.log.filter((event) => event.type === 'replied' && event.ask === id).length
  return before === 0 ? key : `${key}~${before}`
}

/**
 * Returns true if a question of this run belongs to the child. Its id may also be that of a child with a longer key, and
 * in a fork the id of the child is another one than when it asked.
 */
const isOf = (key: string, { id, from }: Ask): boolean =>
  (id.startsWith(`${key}>`) || id.startsWith(`${key}~`)) && `${from?.runId}/`.includes(`/${key}/`)

/** Rejects a reply to a failed child. When its parent resumes, the child continues as another object, which takes the reply. */
const refuse = async (child: Run): Promise<never> => {
  throw new AgentError('ask_unknown', `The agent "${child.state.agent}" has ended. Resume the run, then reply.`)
}

/** Replies to the child's question. The child validates the reply, and the question stays open if it rejects it. */
async function replyTo(child: Run, id: string, reply: unknown): Promise<Checked> {
  try {
    await child.reply(id, reply)
    return { ok: true, value: reply }
  } catch (error) {
    if (isAgentError(error) && (error.code === 'reply_invalid' || error.code === 'approval_changed'))
      return { ok: false, message: error.message, code: error.code }
    throw error
  }
}

/** Notes how much of the child's usage counts already, so that each token counts once, also after a reload. */
function countUsage({ state, emit }: RunContext, { child, key, call }: Relayed): void {
  const note = usageOf(key)
  const counted = noteOf<Usage>(state, note, call) ?? noUsage
  const { usage } = child.state
  const added = addUsage(usage, timesMinusOne(counted))
  if (Object.values(added).every((count) => count === 0)) return
  emit({ type: 'noted', key: note, value: asJson(usage), usage: added, ...(call !== undefined && { call }) })
}

const timesMinusOne = (usage: Usage): Usage =>
  fromJson(Object.fromEntries(Object.entries(usage).map(([count, value]) => [count, -value])))
