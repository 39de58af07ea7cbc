import { manualModel } from '@interleave/test-kit/manualModel'
import { sampleRuns } from '@interleave/test-kit/sampleRuns'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Host, localHost } from '../host.ts'
import { type Agent, agent, approval, choice, type Run, type RunState, tool } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'
import { type ChatMessage, fold, messagesOf, openCalls, pastRun, reduce } from './index.ts'

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})
const picker = (): Agent<string> => {
  const model = scriptedModel({ text: 'Let me ask.', calls: [{ name: 'pick', input: {} }] }, 'It is a.')
  return agent({ name: 'picker', model, tools: { pick } })
}
const answerFirst = async (run: Run): Promise<void> => {
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled
}
const typesOf = (messages: readonly ChatMessage[]): readonly string[] => messages.map(({ type }) => type)

it('tells a run as users read it', async () => {
  const run = picker().start('Pick one')

  await answerFirst(run)

  expect(messagesOf(run)).toMatchObject([
    { type: 'user', text: 'Pick one', isRead: true },
    { type: 'text', text: 'Let me ask.', isAnswer: false, isStreaming: false },
    { type: 'call', tool: 'pick', state: 'done', output: 'a' },
    { type: 'question', ask: { prompt: 'Which?' }, isOpen: false, reply: 'a' },
    { type: 'text', text: 'It is a.', isAnswer: true },
  ])
})

it('shows which call waits for a user, and closes its question when the run is stopped', async () => {
  const run = picker().start('Pick one')

  await run.settled
  const waiting = messagesOf(run).slice(-2)
  await run.stop('Enough.')

  expect(waiting).toMatchObject([
    { type: 'call', state: 'waiting' },
    { type: 'question', isOpen: true },
  ])
  expect(messagesOf(run).slice(-2)).toMatchObject([
    { type: 'question', isOpen: false },
    { type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } },
  ])
})

it('grows a message under one key while it streams', async () => {
  const run = agent({ name: 'talker', model: scriptedModel('one two') }).start('Go')
  const seen: unknown[] = []
  run.subscribe(({ type }) => {
    const last = messagesOf(run).at(-1)
    if (last?.type === 'text' && type !== 'settled') seen.push([last.key, last.text, last.isStreaming])
  })

  await run.settled

  expect(seen).toEqual([
    ['1/text', 'one', true],
    ['1/text', 'one two', true],
    ['1/text', 'one two', false],
  ])
})

it('shows the input of a call as it is written, and what its tool tells, under the key of the call', async () => {
  const look = tool({
    inputSchema: z.object({ city: z.string() }),
    async *execute() {
      yield 'half'
      return 'whole'
    },
  })
  const model = scriptedModel({ calls: [{ name: 'look', input: { city: 'Rome' } }] }, 'Done.')
  const run = agent({ name: 'looker', model, tools: { look } }).start('Go')
  const seen: string[] = []
  run.subscribe(() => {
    for (const message of messagesOf(run))
      if (message.type === 'call') seen.push(`${message.key} ${message.state} ${message.progress ?? ''}`)
  })

  await run.settled

  expect([...new Set(seen)]).toEqual([
    '1/tool/0 writing ',
    '1/tool/0 working ',
    '1/tool/0 working half',
    '1/tool/0 done ',
  ])
})

it('keeps what does not change the same object, and the list while nothing of it does', async () => {
  const run = agent({ name: 'talker', model: scriptedModel('One.', 'Two.') }).start('First')
  await run.settled
  const before = messagesOf(run)
  const again = messagesOf(run)

  await run.say('Second')
  await run.settled

  expect(again).toBe(before)
  expect(
    messagesOf(run)
      .slice(0, 2)
      .map((message, index) => message === before[index]),
  ).toEqual([true, true])
})

/** Returns what a user sees of each message: its text, and whether it streams or is pending. */
const linesOf = (messages: readonly ChatMessage[]): readonly string[] =>
  messages.map((message) => {
    if (message.type === 'user') return `${message.text}${message.isRead ? '' : ' (waits)'}`
    return message.type === 'text' ? `${message.text}${message.isStreaming ? ' …' : ''}` : message.type
  })

it('has a message that is said in mid-turn after that turn, and before the answer to it', async () => {
  const model = manualModel()
  const run = agent({ name: 'talker', model }).start('First')
  const next = (says: string) => {
    const seen = new Promise<void>((resolve) => run.subscribe(({ type }) => type === 'delta' && resolve()))
    model.say(says)
    return seen
  }
  await model.called(1)
  await next('One')
  await run.say('Second')

  const streaming = messagesOf(run)
  model.end()
  await model.called(2)
  const answering = linesOf(messagesOf(run))
  await next('Two')
  const answered = messagesOf(run)
  model.end()
  await run.settled

  expect(linesOf(streaming)).toEqual(['First', 'One …', 'Second (waits)'])
  expect(answering).toEqual(['First', 'One', 'Second'])
  expect(linesOf(answered)).toEqual(['First', 'One', 'Second', 'Two …'])
  expect(linesOf(messagesOf(run))).toEqual(['First', 'One', 'Second', 'Two'])
  expect(linesOf(messagesOf(structuredClone(run.log)))).toEqual(['First', 'One', 'Second', 'Two'])
  expect(messagesOf(run).map(({ key }) => key)).toEqual(answered.map(({ key }) => key))
  expect(messagesOf(run).slice(0, 3)).toEqual(answered.slice(0, 3))
  expect(messagesOf(run)[2]).toBe(answered[2])
})

it('has what is said in mid-turn after that turn also where it is cut off', async () => {
  const model = manualModel()
  let now = 0
  const host: Host = { ...localHost, now: () => ++now }
  const run = agent({ name: 'talker', model }).start('First', { host })
  await model.called(1)
  const seen = new Promise<void>((resolve) => run.subscribe(({ type }) => type === 'delta' && resolve()))
  model.say('One')
  await seen
  await run.say('Second')

  await run.stop()

  expect(linesOf(messagesOf(run))).toEqual(['First', 'One', 'Second (waits)', 'settled'])
})

it('has a request after what was said in the turn before, where a tool worked meanwhile', async () => {
  let finish = (): void => {}
  const work = tool({
    inputSchema: z.object({}),
    execute: () => new Promise((resolve) => (finish = () => resolve('Worked.'))),
  })
  const model = scriptedModel({ text: 'I work.', calls: [{ name: 'work', input: {} }] }, 'Done.')
  const run = agent({ name: 'worker', model, tools: { work } }).start('First')
  await new Promise<void>((resolve) => run.subscribe(({ type }) => type === 'claimed' && setTimeout(resolve)))
  await run.say('Second')

  const before = linesOf(messagesOf(run))
  finish()
  await run.settled

  expect(before).toEqual(['First', 'I work.', 'call', 'Second (waits)'])
  expect(linesOf(messagesOf(run))).toEqual(['First', 'I work.', 'call', 'Second', 'Done.'])
})

it('shows a run that continues from a saved log, and what comes then', async () => {
  const run = picker().start('Pick one')
  await run.settled
  const model = scriptedModel('It is a.', 'It is still a.')

  const here = await agent({ name: 'picker', model, tools: { pick } }).resume(
    savedRun(JSON.parse(JSON.stringify(run.log))),
  )
  const before = messagesOf(here)
  await answerFirst(here)
  await here.say('Sure?')
  await here.settled

  expect(before).toEqual(messagesOf(run))
  expect(messagesOf(here)).toMatchObject([
    { type: 'user', text: 'Pick one', isRead: true },
    { type: 'text', text: 'Let me ask.' },
    { type: 'call', state: 'done', output: 'a' },
    { type: 'question', isOpen: false, reply: 'a' },
    { type: 'text', text: 'It is a.', isAnswer: true },
    { type: 'user', text: 'Sure?' },
    { type: 'text', text: 'It is still a.', isAnswer: true },
  ])
  expect(
    messagesOf(here)
      .map(({ key }) => key)
      .slice(0, before.length),
  ).toEqual(before.map(({ key }) => key))
  expect(messagesOf(here, here.state)).toBe(messagesOf(here))
})

/** Removes the positions: a state does not say which events it comes from. */
const withoutSeq = (messages: readonly ChatMessage[]): readonly object[] =>
  messages.map((message) => {
    const { at: _, ...others } = message
    if (message.type !== 'call') return others
    const { seq: __, at: ___, ...call } = message
    return call
  })

it('shows of each state what its log shows, but for questions that are over and earlier pauses', async () => {
  for (const { name, id, journal } of await sampleRuns()) {
    // A state does not say what an earlier answer of a graph was.
    const compared = (message: object) => (name === 'graph' ? { ...message, isAnswer: undefined } : message)
    const events = await journal.read(id)
    for (let length = 1; length <= events.length; length++) {
      const log = events.slice(0, length)
      const state = fold(log)
      const isOver = (message: ChatMessage) =>
        (message.type === 'question' && !message.isOpen) ||
        (message.key.startsWith('settled/') && message.key !== `settled/${log.length - 1}`)
      const expected = messagesOf(log).filter((message) => !isOver(message))
      const place = `${name} after ${log.at(-1)?.type} ${length - 1}`

      expect(
        messagesOf(state).map(({ key }) => key),
        place,
      ).toEqual(expected.map(({ key }) => key))
      expect(messagesOf(state).map(compared), place).toMatchObject(withoutSeq(expected).map(compared))
    }
  }
})

it('tells an answer that no model wrote as text', async () => {
  const backend = () => ({ type: 'answer', output: { n: 1 }, reason: 'completed' }) as const
  const run = agent({ name: 'counter', backend, model: scriptedModel() }).start('Go')

  await run.settled

  expect(messagesOf(run).at(-1)).toMatchObject({ type: 'text', text: '{\n  "n": 1\n}', isAnswer: true })
})

it('is without the thoughts of an agent that does not expose them', async () => {
  const model = scriptedModel({ text: 'I ask.', reasoning: 'Hm.', calls: [{ name: 'pick', input: {} }] }, 'It is a.')
  const run = agent({ name: 'picker', model, tools: { pick }, exposeReasoning: false }).start('Pick one')
  const streamed: ChatMessage[] = []
  run.subscribe(() => streamed.push(...messagesOf(run).filter((message) => message.type === 'text')))

  await answerFirst(run)

  expect(typesOf(messagesOf(run))).toEqual(['user', 'call', 'question', 'text'])
  expect(JSON.stringify(streamed)).not.toMatch(/I ask|Hm/)
})

it('shows a run as it was, and the run itself afterwards as it is', async () => {
  const run = picker().start('Pick one')
  await answerFirst(run)
  const now = messagesOf(run)

  const then = messagesOf(pastRun(run.log, { at: 3 }))

  expect(typesOf(then)).toEqual(['user', 'text', 'call'])
  expect(messagesOf(run)).toBe(now)
})

it('has at each position of any log the open questions and calls of the state there, under keys of their own', async () => {
  for (const { name, id, journal } of await sampleRuns()) {
    const events = await journal.read(id)
    for (let length = 1; length <= events.length; length++) {
      const log = events.slice(0, length)
      const state = fold(log)
      const [grown, fresh] = [messagesOf(log), messagesOf(structuredClone(log))]
      const place = `${name} after ${log.at(-1)?.type} ${length - 1}`
      const isOpen = (message: ChatMessage) => message.type === 'call' && /writing|working|waiting/.test(message.state)

      expect(grown, place).toEqual(fresh)
      expect(
        grown.flatMap((message) => (message.type === 'question' && message.isOpen ? [message.ask.id] : [])),
        place,
      ).toEqual(state.asks.map(({ id: asked }) => asked))
      expect(
        grown.filter(isOpen).map(({ key }) => key),
        place,
      ).toEqual(openCalls(state).map(({ key }) => key))
      const keys = grown.map(({ key }) => key)
      expect(new Set(keys).size, place).toBe(keys.length)
    }
  }
})

/** The states of the calls of a run, with what they were given and what came of them. */
const callsIn = (of: Run | RunState) =>
  messagesOf(of).flatMap((message) =>
    message.type === 'call' ? [[message.state, message.input, message.output, message.error?.code]] : [],
  )
const pay = tool({
  inputSchema: z.object({ sum: z.number() }),
  approve: approval(),
  execute: ({ sum }) => ({ paid: sum }),
})

it('tells a call that was refused from one that failed, each with its reason', async () => {
  const inputs = [{ sum: 5 }, { sum: 'five' }]
  const model = scriptedModel({ calls: inputs.map((input) => ({ name: 'pay', input })) }, 'Fine.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  const before: unknown[] = []
  run.subscribe(({ type }) => type === 'thought' && before.push(...callsIn(run).map(([state]) => state)))
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: false, reason: 'Too much.' })
  await run.settled

  const calls = callsIn(run)
  expect(before.slice(0, 2)).toEqual(['writing', 'writing'])
  expect(calls).toEqual([
    ['refused', { sum: 5 }, 'Too much.', 'tool_refused'],
    ['failed', { sum: 'five' }, expect.stringContaining('does not fit'), 'tool_input_invalid'],
  ])
  expect(callsIn(fold(run.log))).toEqual(calls)
})

it('shows the part of an input that has arrived, as a value and as text', () => {
  const deltas = ['{"su', 'm": 5, "to": "Mar', 'y"}']
  const shown = deltas.map((_, index) => {
    const live = deltas
      .slice(0, index + 1)
      .map((delta) => ({ type: 'delta', kind: 'input', id: 'c', tool: 'pay', delta }) as const)
    return messagesOf(live.reduce<RunState>(reduce, fold([]))).at(-1)
  })

  expect(shown).toMatchObject([
    { state: 'writing', input: {}, inputText: '{"su' },
    { state: 'writing', input: { sum: 5, to: 'Mar' } },
    { state: 'writing', input: { sum: 5, to: 'Mary' } },
  ])
})

it('says of a call that had run, and whose output is lost, that it failed', async () => {
  const endless = tool({ inputSchema: z.object({ sum: z.number() }), execute: () => new Promise<number>(() => {}) })
  const journal = memoryJournal()
  const payer = () => {
    const model = scriptedModel({ calls: [{ name: 'pay', input: { sum: 5 } }] }, 'Fine.')
    return agent({ name: 'payer', model, tools: { pay: endless } })
  }
  const first = payer().start('Pay', { journal, id: 'paying' })
  await new Promise<void>((resolve) => first.subscribe(({ type }) => type === 'claimed' && resolve()))
  // The journal has the claim once the tool runs, and the process ends then.
  await new Promise((resolve) => setTimeout(resolve))

  const run = await agent({ name: 'payer', model: scriptedModel('Fine.'), tools: { pay: endless } }).resume('paying', {
    journal,
  })
  await run.settled
  await run.reply('1/tool/0/interruption', 'done')
  await run.settled

  expect(callsIn(run)).toMatchObject([['failed', { sum: 5 }, expect.any(String), 'tool_interrupted']])
})

it('gives each message a key of its own, also where a provider repeats the id of its call within a turn', async () => {
  const search = { type: 'tool-call', toolCallId: 's', toolName: 'search', providerExecuted: true } as const
  const model = scriptedModel([
    { ...search, input: '{"q":"a"}' },
    { ...search, input: '{"q":"b"}' },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'found' },
    { type: 'text-delta', id: '0', delta: 'Found.' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never,
    },
  ])
  const run = agent({ name: 'a', model }).start('Search')
  await run.settled

  const messages = messagesOf(run)

  expect(new Set(messages.map(({ key }) => key)).size).toBe(messages.length)
  expect(messages.filter(({ type }) => type === 'call')).toMatchObject([
    { state: 'done', input: { q: 'b' }, output: 'found' },
  ])
})
