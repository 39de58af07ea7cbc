import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from './agents/index.ts'
import { type Agent, type Ask, agent, confirm, type Run, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

type Turn = readonly ('help' | 'ask' | 'charge')[]
type Operation = 'tick' | 'say' | 'stop' | 'resume' | 'reply' | 'crash'

const replyTo = ({ kind }: Ask) => (kind === 'choice' ? 'skip' : kind === 'extension' ? { extend: 20 } : true)

/** A place in which a run and those below it live until it crashes: from then on nothing of them comes to an end. */
function createLife(scheduler: fc.Scheduler, kept: Journal, turns: Turn[]) {
  let alive = true
  const later = <T>(value: T): Promise<T> =>
    scheduler.schedule(Promise.resolve()).then(() => (alive ? value : new Promise<never>(() => {})))
  const inputSchema = z.object({})
  const charged: string[] = []
  const think: ScriptedTurn = async () => {
    await later(null)
    const names = turns.shift()
    const input = (name: string) => (name === 'help' ? { task: 'Help' } : {})
    return names ? { calls: names.map((name) => ({ name, input: input(name) })) } : 'Done.'
  }
  const model = () => scriptedModel(...Array.from({ length: 200 }, () => think))
  const own = {
    ask: tool({ inputSchema, execute: async (_, { ask }) => later(await ask(confirm({ prompt: '?' }))) }),
    charge: tool({ inputSchema, execute: (_, { idempotencyKey }) => later(charged.push(idempotencyKey)) }),
  }
  // Two levels of child runs: the lowest has no helper.
  let described: Agent<string> = agent({ name: 'lowest', model: model(), tools: own })
  for (const name of ['middle', 'top']) {
    const help = agentTool(described, { description: 'Helps.' })
    described = agent({ name, model: model(), tools: { ...own, help } })
  }
  const journal: Journal = {
    ...kept,
    append: async (id, events, options) => {
      await later(null)
      await kept.append(id, events, options)
    },
  }
  const crash = (): void => {
    alive = false
  }
  return { described, journal, charged, crash }
}

/** Creates a user who does everything that can be done to a run, and in the end lets it come to its answer. */
function createUser(scheduler: fc.Scheduler, turns: readonly Turn[]) {
  const kept = memoryJournal()
  const charged: string[] = []
  const begin = (): Run<string> => life.described.start('Go', { id: 'r', journal: life.journal, observers: [laws()] })
  let life = createLife(scheduler, kept, [...turns])
  let run = begin()

  const reply = async (): Promise<void> => {
    const [ask] = run.state.asks
    if (ask) await run.reply(ask.id, replyTo(ask)).catch(() => {})
  }
  const acts: Record<Operation, () => unknown> = {
    tick: () => scheduler.count() > 0 && scheduler.waitOne(),
    say: () => void run.say('More').catch(() => {}),
    stop: () => void run.stop(),
    resume: () => ['stopped', 'failed'].includes(run.state.signal?.type ?? '') && run.resume(),
    reply: () => void reply(),
    async crash() {
      life.crash()
      charged.push(...life.charged)
      life = createLife(scheduler, kept, [...turns])
      const begun = (await kept.read('r')).length > 0
      run = begun ? await life.described.resume('r', { journal: life.journal }) : begin()
    },
  }
  return {
    kept,
    act: (operation: Operation) => acts[operation](),
    charged: () => [...charged, ...life.charged],
    async finish(): Promise<Run> {
      for (let i = 0; i < 100; i++) {
        const { type } = await scheduler.waitFor(run.settled)
        if (type === 'answer') return run
        if (type === 'stopped' || type === 'failed') run.resume()
        else await scheduler.waitFor(reply())
      }
      throw new Error(`The run does not come to its answer: ${JSON.stringify(run.state.signal)}`)
    },
  }
}

const operation = fc.constantFrom<Operation[]>(
  'tick',
  'tick',
  'tick',
  'tick',
  'say',
  'stop',
  'resume',
  'reply',
  'crash',
)
const turn: fc.Arbitrary<Turn> = fc.array(fc.constantFrom('help', 'help', 'ask', 'charge'), {
  minLength: 1,
  maxLength: 3,
})

/** Returns the tokens of a log's own turns, without those of its child runs. */
async function ownTokens(journal: Journal, id: string): Promise<number> {
  const events = await journal.read(id)
  return events.reduce((sum, event) => sum + (event.type === 'thought' ? event.usage.inputTokens : 0), 0)
}

it('loses no child run another, does nothing twice and counts each token once, whatever happens when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(operation, { maxLength: 40 }),
      fc.array(turn, { maxLength: 6 }),
      async (scheduler, operations, turns) => {
        const user = createUser(scheduler, turns)
        for (const each of operations) {
          await user.act(each)
          await new Promise((resolve) => setTimeout(resolve))
        }

        const { state } = await user.finish()

        const runs = await user.kept.list({ limit: 1_000 })
        const tokens = await Promise.all(runs.map(({ runId }) => ownTokens(user.kept, runId)))
        expect(state.usage.inputTokens).toBe(tokens.reduce((a, b) => a + b, 0))
        expect([state.asks, state.pending]).toEqual([[], []])
        expect(runs.filter(({ signal }) => signal !== 'answer' && signal !== 'stopped')).toEqual([])
        expect(user.charged()).toEqual([...new Set(user.charged())])
      },
    ),
    { numRuns: 60, timeout: 30_000 },
  )
})
