import { type Agent, type Ask, agent, confirm, type Event, type Run, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

/** What the agent of a test does to the world. */
export interface World {
  readonly random: () => number
  /** The number of payments by idempotency key. */
  readonly paid: Map<string, number>
}

const turns = ['look', 'pay', 'ask', 'pay']

/** An agent that pays twice, looks, and asks once. */
export function payingAgent({ random, paid }: World): Agent {
  const inputSchema = z.object({})
  const turn = async ({ prompt }: { readonly prompt: readonly { readonly role: string }[] }) => {
    await pause(5 * random())
    const name = turns[prompt.filter(({ role }) => role === 'tool').length]
    return name ? { calls: [{ name, input: {} }] } : 'Done.'
  }
  return agent({
    name: 'payer',
    model: scriptedModel(turn),
    tools: {
      look: tool({ inputSchema, effect: 'readOnly', execute: () => 'seen' }),
      ask: tool({
        inputSchema,
        effect: 'readOnly',
        execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })),
      }),
      pay: tool({
        inputSchema,
        async execute(_, { idempotencyKey }) {
          paid.set(idempotencyKey, (paid.get(idempotencyKey) ?? 0) + 1)
          await pause(5)
          return 'paid'
        },
      }),
    },
  })
}

/** Does what a patient user does, who stops nothing, until the run has its answer. */
export async function waitPatiently(run: Run): Promise<void> {
  for (;;) {
    const { type } = await run.settled
    if (type === 'answer') return
    const { signal } = run.state
    if (signal?.type === 'stopped') throw new Error(`The run was stopped by nobody: ${JSON.stringify(signal)}`)
    try {
      if (signal?.type === 'inputNeeded') for (const ask of signal.asks) await run.reply(ask.id, replyTo(ask) as never)
      else if (signal?.type === 'failed') run.resume()
    } catch {
      // The user tries again.
    }
    await pause(20)
  }
}

/** What was interrupted counts as done. */
const replyTo = ({ about, kind, ...ask }: Ask): unknown => {
  if (about === 'interruption') return 'done'
  return kind === 'choice'
    ? (ask as { readonly options: readonly { readonly value: string }[] }).options[0]?.value
    : true
}

/** The law: returns how a run was ended by nobody, or differs from its log in the journal. */
export function endedUnasked({ id, state, log }: Pick<Run, 'id' | 'state' | 'log'>, kept: readonly Event[]): string[] {
  const problems: string[] = []
  if (state.signal?.type !== 'answer') problems.push(`behind: ${id} ${JSON.stringify(state.signal)}`)
  if (kept.length !== log.length) problems.push(`differs: ${id} has ${log.length} of ${kept.length} events`)
  if (kept.some(({ seq }, at) => seq !== at)) problems.push(`gaps: ${id}`)
  for (const event of kept)
    if (event.type === 'settled' && isUnasked(event)) problems.push(`ended: ${id} ${JSON.stringify(event.signal)}`)
  return problems
}

/** A question and an answer end nothing, and that the journal fails is no end. */
const isUnasked = ({ signal }: Extract<Event, { type: 'settled' }>): boolean =>
  signal.type === 'stopped' || (signal.type === 'failed' && !signal.error.code.startsWith('journal_failed'))

/** The payments that were made more than once. */
export const paidTwice = ({ paid }: World): readonly string[] =>
  [...paid].flatMap(([key, times]) => (times > 1 ? [`paid ${times} times: ${key}`] : []))

/** A host of `payingAgent`. */
export interface LawfulHost {
  /** Starts a run. Returns what a user sees of it. */
  readonly start: () => SeenRun | Promise<SeenRun>
  readonly read: (runId: string) => PromiseLike<readonly Event[]> | readonly Event[]
}

/** A run, or its view elsewhere, which can be closed. */
export type SeenRun = Run & { close?(): void }

export interface LawOptions {
  readonly world: World
  readonly runs: number
  /** Makes the network well: each run comes to its end then. */
  readonly calm: () => void
  /** Milliseconds of faults. */
  readonly ms: number
}

const giveUpMs = 60_000

/** Starts runs while answers are lost, late or doubled. Returns what breaks the law once they are over. */
export async function playLaw({ start, read }: LawfulHost, { world, runs, calm, ms }: LawOptions): Promise<string[]> {
  const started = await Promise.all(Array.from({ length: runs }, start))
  const plays = Promise.allSettled(started.map((run) => waitPatiently(run)))
  await Promise.race([plays, pause(ms)])
  calm()
  await Promise.race([plays, pause(giveUpMs)])
  const problems: string[] = []
  for (const run of started) {
    problems.push(...endedUnasked(run, await read(run.id)))
    // A page that is left follows its runs no more.
    run.close?.()
  }
  return [...problems, ...paidTwice(world)]
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
