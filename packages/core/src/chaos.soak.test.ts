import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, type Ask, agent, approval, confirm, type Run, type RunState, reasonAct, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

type Turn = readonly ('charge' | 'ask' | 'approved' | 'fails' | 'missing')[]

/** Every call of the model has its result right behind it, in order. Providers refuse anything else. */
function expectPairs(prompt: LanguageModelV4Prompt): void {
  const ids = (message: LanguageModelV4Prompt[number] | undefined, type: string) =>
    Array.isArray(message?.content)
      ? message.content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : []))
      : []
  for (const [index, message] of prompt.entries()) {
    if (message.role !== 'assistant') continue
    expect(ids(prompt[index + 1], 'tool-result')).toEqual(ids(message, 'tool-call'))
  }
}
const usersOf = (prompt: LanguageModelV4Prompt) =>
  prompt.flatMap(({ role, content }) =>
    role === 'user'
      ? content.flatMap((part) => (part.type === 'text' && part.text !== 'Go on.' ? [part.text] : []))
      : [],
  )

const replyTo = ({ kind }: Ask) =>
  kind === 'approval' ? { approved: true } : kind === 'choice' ? 'skip' : kind === 'extension' ? { extend: 5 } : true

/** A place in which a run lives until it crashes: from then on nothing of it comes to an end. */
function createLife(scheduler: fc.Scheduler, kept: Journal, turns: Turn[], charged: string[]) {
  let alive = true
  const later = <T>(value: T): Promise<T> =>
    scheduler.schedule(Promise.resolve()).then(() => (alive ? value : new Promise<never>(() => {})))
  const inputSchema = z.object({})
  const tools = {
    charge: tool({ inputSchema, execute: (_, { idempotencyKey }) => later(charged.push(idempotencyKey)) }),
    ask: tool({ inputSchema, execute: async (_, { ask }) => later(await ask(confirm({ prompt: '?' }))) }),
    approved: tool({ inputSchema, approve: approval(), execute: () => later('approved') }),
    fails: tool({ inputSchema, execute: () => later(null).then(() => Promise.reject(new Error('broken'))) }),
  }
  const think: ScriptedTurn = async ({ prompt }) => {
    expectPairs(prompt)
    await later(null)
    const names = turns.shift()
    return names ? { text: 'Hm.', calls: names.map((name) => ({ name, input: {} })) } : 'Done.'
  }
  const model = scriptedModel(...Array.from({ length: 200 }, () => think))
  let broken = 0
  const journal: Journal = {
    ...kept,
    append: async (id, events, options) => {
      await later(null)
      if (broken-- > 0) throw new Error('disk full')
      await kept.append(id, events, options)
    },
  }
  const described: Agent<string> = agent({ name: 'a', model, tools, backend: reasonAct({ limits: { iterations: 4 } }) })
  const crash = () => {
    alive = false
  }
  const breakJournal = () => {
    broken = 1
  }
  return { described, model, journal, crash, breakJournal }
}

type Operation = 'tick' | 'say' | 'stop' | 'resume' | 'reply' | 'crash' | 'break'
const operation = fc.constantFrom<Operation[]>(
  'tick',
  'tick',
  'tick',
  'say',
  'stop',
  'resume',
  'reply',
  'crash',
  'break',
)
const turn: fc.Arbitrary<Turn> = fc.array(fc.constantFrom('charge', 'ask', 'approved', 'fails', 'missing'), {
  minLength: 1,
  maxLength: 3,
})

it('loses nothing and does nothing twice, whatever happens when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(operation, { maxLength: 30 }),
      fc.array(turn, { maxLength: 8 }),
      async (scheduler, operations, turns) => {
        const user = createUser(scheduler, turns)

        for (const each of operations) {
          await user.act(each)
          await new Promise((resolve) => setTimeout(resolve))
        }
        const state = await user.finish()

        expectWhole(state, user.lastPrompt(), user.acknowledged)
        expect(user.charged).toEqual([...new Set(user.charged)])
      },
    ),
    { numRuns: 60, timeout: 30_000 },
  )
})

/** Creates a user who does everything that can be done to a run, and in the end lets it come to its answer. */
function createUser(scheduler: fc.Scheduler, turns: readonly Turn[]) {
  const [kept, charged, acknowledged] = [memoryJournal(), [] as string[], [] as string[]]
  const enliven = () => createLife(scheduler, kept, [...turns], charged)
  let life = enliven()
  let said = 0
  const begin = (): Run<string> =>
    life.described.start(`${said++}`, { id: 'r', journal: life.journal, observers: [laws()] })
  let run = begin()

  const acts: Record<Operation, () => unknown> = {
    tick: () => scheduler.count() > 0 && scheduler.waitOne(),
    say: () => {
      const text = `${said++}`
      run.say(text).then(
        () => acknowledged.push(text),
        () => {},
      )
    },
    stop: () => void run.stop(),
    resume: () => ['stopped', 'failed'].includes(run.state.signal?.type ?? '') && run.resume(),
    reply: () => void reply(),
    break: () => life.breakJournal(),
    async crash() {
      life.crash()
      life = enliven()
      const begun = (await kept.read('r')).length > 0
      run = begun ? await life.described.resume('r', { journal: life.journal }) : begin()
    },
  }
  const reply = async (): Promise<void> => {
    const [ask] = run.state.asks
    if (ask) await run.reply(ask.id, replyTo(ask)).catch(() => {})
  }

  return {
    charged,
    acknowledged,
    act: (operation: Operation) => acts[operation](),
    lastPrompt: () => life.model.calls.at(-1)?.prompt ?? [],
    async finish(): Promise<RunState> {
      for (let i = 0; i < 100; i++) {
        const { type } = await scheduler.waitFor(run.settled)
        if (type === 'answer') return run.state
        if (type === 'stopped' || type === 'failed') run.resume()
        else await scheduler.waitFor(reply())
      }
      throw new Error('The run does not come to its answer.')
    },
  }
}

function expectWhole(state: RunState, prompt: LanguageModelV4Prompt, acknowledged: readonly string[]): void {
  const said = state.history
    .flat()
    .flatMap((entry) => (entry.type === 'said' && entry.by === 'user' ? [String(entry.content)] : []))
  expect(state.pending).toEqual([])
  expect(state.asks).toEqual([])
  expect(said).toEqual([...new Set(said)])
  expect(said).toEqual(expect.arrayContaining([...acknowledged]))
  if (prompt.length > 0) expect(usersOf(prompt)).toEqual(said)
  for (const entry of state.history.flat()) {
    if (entry.type === 'turn') expect(entry.calls.filter(({ result }) => !result)).toEqual([])
  }
}
