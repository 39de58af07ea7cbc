import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from './agents/index.ts'
import { type Agent, agent, choice, type Host, localHost, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

const inputSchema = z.object({})
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const host: Host = {
  ...localHost,
  timer: (ms, callback) => {
    const timer = setTimeout(callback, ms / 100)
    return () => clearTimeout(timer)
  },
}

/** A memory journal that takes its time, and refuses the write `failsAt` of a child once. */
function slowJournal(random: () => number, failsAt: number): Journal {
  const kept = memoryJournal()
  let writes = 0
  const slow = (): Promise<void> => sleep(random() < 0.5 ? random() * 40 : random() * 4)
  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    await slow()
    const result = await work()
    await slow()
    return result
  }
  return {
    ...kept,
    read: (...args) => slowly(async () => kept.read(...args)),
    claim: (...args) => slowly(async () => (await kept.claim?.(...args)) ?? 0),
    append: (id, events, options) =>
      slowly(async () => {
        if (id !== 'r' && ++writes === failsAt) throw new Error('The disk failed.')
        await kept.append(id, events, options)
      }),
  }
}

/** Replies to whatever is asked, and resumes the run when it failed. Returns the codes that it failed with. */
async function playOnce(seed: number, depth: number): Promise<readonly string[]> {
  const random = createRandom(seed)
  const model = (name: string, input: object) =>
    scriptedModel(
      ...Array.from(
        { length: 12 },
        (): ScriptedTurn =>
          ({ prompt }) =>
            prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name, input }] },
      ),
    )
  const ask = (prompt: string) => choice({ prompt, options: ['a', 'b'] })
  const seats = tool({
    inputSchema,
    execute: async (_, context) =>
      (await Promise.all(['One?', 'Two?'].map((prompt) => context.ask(ask(prompt))))).join(),
  })
  let chief: Agent<string> = agent({ name: 'clerk', model: model('seats', {}), tools: { seats } })
  for (let level = 0; level < depth; level++) {
    const work = agentTool(chief, { description: 'Works.' })
    chief = agent({ name: `chief ${level}`, model: model('work', { task: 'Go' }), tools: { work } })
  }
  const run = chief.start('Go', { id: 'r', journal: slowJournal(random, 1 + Math.floor(random() * 4)), host })

  const codes: string[] = []
  while (run.state.signal?.type !== 'answer') {
    await sleep(random() * 30)
    const { signal, asks } = run.state
    if (signal?.type === 'failed') {
      codes.push(signal.error.code)
      run.resume()
      continue
    }
    const open = asks[Math.floor(random() * asks.length)]
    if (open?.kind === 'choice')
      void run.reply(open.id, open.options.some(({ value }) => value === 'skip') ? 'skip' : 'a').catch(() => {})
  }
  return codes
}

it.each([1, 2])(
  'never takes the log of a child %i deep from itself, however it is replied to after a failed write',
  async (depth) => {
    const codes: string[] = []
    for (let round = 0; round < 6; round++)
      codes.push(
        ...(await Promise.all(Array.from({ length: 50 }, (_, seed) => playOnce(50 * round + seed, depth)))).flat(),
      )

    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => code !== 'journal_failed')).toEqual([])
  },
)
