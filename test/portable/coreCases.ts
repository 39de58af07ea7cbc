import { type Agent, agent, answer, choice, isAgentError, reasonAct, type Step, tool } from '@interleave/core'
import { fetchTool } from '@interleave/core/fetch'
import { memoryJournal, savedRun } from '@interleave/core/journal'
import { eventsOf, scratchpad } from '@interleave/core/observe'
import { inOrder } from '@interleave/core/steps'
import { formatTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { textMode } from '@interleave/text'
import { z } from 'zod'

/**
 * A case with the same result in Node, in a browser and in a worker. Needs no test runner, since not every platform has
 * one.
 */
export interface PortableCase {
  run(): Promise<unknown>
  /** Plain JSON, equal to what `run` gives. */
  readonly expected: unknown
}

const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
const hang = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  timeoutMs: 20,
  execute: () => new Promise(() => {}),
})
const book = tool({
  inputSchema: z.object({}),
  execute: async (_, { ask, once }) => {
    const seat = await once('seat', () => 'seat 7')
    return `${seat}, ${await ask(choice({ prompt: 'Meal?', options: ['fish', 'none'] }))}`
  },
})
const call = (name: string, input: unknown = {}) => ({ calls: [{ name, input }] })
const talker = (...turns: ScriptedTurn[]): Agent<string> =>
  agent({ name: 'a', model: scriptedModel(...turns), tools: { add, book, hang } })

export const coreCases: Readonly<Record<string, PortableCase>> = {
  'thinks, acts, observes and answers': {
    async run() {
      const run = talker({ text: 'I add.', ...call('add', { a: 2, b: 3 }) }, 'Five.').start('2 + 3?')
      const events = []
      for await (const event of eventsOf(run)) events.push(event)
      return { trace: formatTrace(events).split('\n'), scratchpad: scratchpad(run.state).map(({ type }) => type) }
    },
    expected: {
      trace: [
        '0 started a',
        '0 said user "2 + 3?"',
        '1 thought "I add." add({"a":2,"b":3})',
        '1 claimed 1/tool/0',
        '1 observed 1/tool/0 json 5',
        '2 thought "Five."',
        '2 settled answer "Five."',
      ],
      scratchpad: ['thought', 'action', 'observation', 'thought'],
    },
  },

  'goes on elsewhere with a question that is open': {
    async run() {
      const journal = memoryJournal()
      const before = talker(call('book')).start('Book', { journal, id: 'r' })
      const asked = await before.settled
      const after = await talker('Booked.').resume('r', { journal })
      await after.reply('1/tool/0/ask/0', 'fish')
      return [asked.type, await after.settled, scratchpad(after.state).at(2)]
    },
    expected: [
      'inputNeeded',
      { type: 'answer', output: 'Booked.', reason: 'text' },
      expectObservation('book', 'seat 7, fish'),
    ],
  },

  'goes on from a state that was kept as text': {
    async run() {
      const before = talker(call('book')).start('Book', { id: 'r' })
      await before.settled
      const after = await talker('Booked.').resume(savedRun(JSON.parse(JSON.stringify(before.log))))
      await after.reply('1/tool/0/ask/0', 'none')
      return after.settled
    },
    expected: { type: 'answer', output: 'Booked.', reason: 'text' },
  },

  'gives up a tool that hangs, and goes on': {
    async run() {
      const run = talker(call('hang'), 'Never mind.').start('Hang')
      return [await run.settled, scratchpad(run.state).at(2)]
    },
    expected: [
      { type: 'answer', output: 'Never mind.', reason: 'text' },
      {
        ...expectObservation('hang', 'hang took longer than 20 ms.'),
        error: { code: 'tool_timeout', message: 'hang took longer than 20 ms.', retryable: false },
      },
    ],
  },

  'stops a model that never ends': {
    async run() {
      const run = talker(() => new Promise(() => {})).start('Go')
      await run.stop('Enough.')
      return run.settled
    },
    expected: { type: 'stopped', reason: 'Enough.' },
  },

  'tries again after a failure that may pass': {
    async run() {
      const busy = Object.assign(new Error('busy'), { isRetryable: true })
      const backend = reasonAct({ think: { retryDelayMs: 1 } })
      return agent({ name: 'a', model: scriptedModel(busy, 'Here.'), backend }).start('Go').settled
    },
    expected: { type: 'answer', output: 'Here.', reason: 'text' },
  },

  'keeps bytes as text': {
    async run() {
      const data = { type: 'data', data: new Uint8Array([104, 105]) } as const
      const run = talker('A picture.').start([{ type: 'file', mediaType: 'image/png', data }])
      await run.settled
      return run.state.history[0]?.[0]
    },
    expected: {
      type: 'said',
      seq: 1,
      at: 0,
      by: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } }],
    },
  },

  'types the answer by a schema, and refuses what does not fit': {
    async run() {
      const model = scriptedModel(call('final_answer', { n: 'x' }), call('final_answer', { n: 5 }))
      const run = agent({ name: 'a', model, output: answer(z.object({ n: z.number() })) }).start('Count')
      return [await run.settled, run.state.iteration]
    },
    expected: [{ type: 'answer', output: { n: 5 }, reason: 'finalAnswer' }, 2],
  },

  'asks from a step, and hears what is said meanwhile': {
    async run() {
      const step: Step = async (run) => {
        const name = await run.ask('name', choice({ prompt: 'Who?', options: ['Ann', 'Bob'] }))
        return { type: 'answer', output: `${name}, ${run.state.pending.length} messages`, reason: 'text' }
      }
      const run = agent({ name: 'a', model: scriptedModel(), backend: inOrder(step) }).start('Hi')
      await run.settled
      await run.say('Anybody?')
      await run.reply('name', 'Bob')
      return run.settled
    },
    expected: { type: 'answer', output: 'Bob, 2 messages', reason: 'text' },
  },

  'keeps a hundred runs apart': {
    async run() {
      const echo: ScriptedTurn = async ({ prompt }) => JSON.stringify(prompt[0]?.content)
      const described = talker(...Array.from({ length: 100 }, () => echo))
      const runs = Array.from({ length: 100 }, (_, n) => described.start(`I am ${n}.`))
      const signals = await Promise.all(runs.map(({ settled }) => settled))
      const ids = new Set(runs.map(({ id }) => id)).size
      return [ids, signals.every((signal, n) => JSON.stringify(signal).includes(`I am ${n}.`))]
    },
    expected: [100, true],
  },

  'gives tools to a model that only writes': {
    async run() {
      const written = 'Thought: I add.\nAction: add\nAction Input: {"a": 2, "b": 3}\nObservation: 6'
      const model = textMode(scriptedModel(written, 'Final Answer: Five.'))
      const run = agent({ name: 'a', model, tools: { add } }).start('2 + 3?')
      return [await run.settled, scratchpad(run.state).at(2)]
    },
    expected: [
      { type: 'answer', output: 'Five.', reason: 'text' },
      { type: 'observation', iteration: 1, at: 0, call: '1/tool/0', tool: 'add', output: 5, ms: 0 },
    ],
  },

  'reads a page by requests that the place itself takes': {
    async run() {
      const asked: string[] = []
      const fetch = async (url: string, init: RequestInit) => {
        asked.push(new Request(url, init).url)
        return new Response('Hello.')
      }
      const read = fetchTool({ allow: ['https://example.com'], fetch })
      const model = scriptedModel(call('read', { url: 'https://example.com/a' }), 'Read.')
      const run = agent({ name: 'a', model, tools: { read } }).start('Read it.')
      return [await run.settled, asked, JSON.stringify(run.state.history).includes('Hello.')]
    },
    expected: [{ type: 'answer', output: 'Read.', reason: 'text' }, ['https://example.com/a'], true],
  },

  'says at once what cannot work': {
    async run() {
      try {
        return talker().start('')
      } catch (error) {
        return isAgentError(error) ? error.code : String(error)
      }
    },
    expected: 'options_invalid',
  },
}

function expectObservation(name: string, output: string): object {
  return { type: 'observation', iteration: 1, at: 0, call: '1/tool/0', tool: name, output, ms: 0 }
}

/** Returns the result of a case as plain JSON. Times are set to 0, since they differ. */
export async function outcomeOf({ run }: PortableCase): Promise<unknown> {
  return JSON.parse(JSON.stringify(await run()), (key, value: unknown) => (key === 'at' || key === 'ms' ? 0 : value))
}
