import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { runChild } from '../../children/child.ts'
import {
  agent,
  choice,
  confirm,
  form,
  type Run,
  reasonAct,
  type Step,
  type TypedQuestion,
  text,
  tool,
} from '../../index.ts'
import { memoryJournal, savedRun } from '../../journal/index.ts'
import { observer } from '../../log/observe.ts'
import type { RunContext } from '../../run.ts'
import { inOrder } from '../../step.ts'

const empty = z.object({})
const lawful = { observers: [laws()] }
const asks = ({ state }: Run) => state.asks.map(({ id }) => id)

/** An agent whose one tool asks these questions one after another, and gives back the answers. */
const asking = (...questions: TypedQuestion<unknown>[]) => {
  const ask = tool({
    inputSchema: empty,
    execute: async (_, context) => {
      const answers = []
      for (const question of questions) answers.push(await context.ask(question))
      return { answers: answers.map(String) }
    },
  })
  return agent({
    name: 'asker',
    model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.'),
    tools: { ask },
  })
}

it('settles with the question, and tells it in the state', async () => {
  const run = asking(confirm({ prompt: 'Sure?' })).start('Go', { observers: [laws()] })

  const signal = await run.settled

  const ask = { id: '1/tool/0/ask/0', call: '1/tool/0', kind: 'confirm', prompt: 'Sure?', yes: 'Yes', no: 'No' }
  expect(signal).toEqual({ type: 'inputNeeded', asks: [ask] })
  expect(run.state.asks).toEqual([ask])
  expect(run.state.signal).toEqual(signal)
})

it('goes from question to question', async () => {
  const run = asking(text({ prompt: '1?' }), text({ prompt: '2?' })).start('Go', { observers: [laws()] })

  for (const answer of ['one', 'two']) {
    await run.settled
    await run.reply(asks(run)[0] ?? '', answer)
  }

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.state.history.flat()).toContainEqual(
    expect.objectContaining({
      calls: [expect.objectContaining({ result: { type: 'json', value: { answers: ['one', 'two'] } } })],
    }),
  )
})

it('tells a tool that asked nothing', async () => {
  const run = asking(undefined as never).start('Go')
  await run.settled

  expect(JSON.stringify(run.state.history)).toContain('ask() needs a question')
})

it.each([undefined, null, {}, { id: 1 }])('says what a reply to %j needs', async (ask) => {
  const run = asking(choice({ prompt: 'Which?', options: ['a', 'b'] })).start('Go')
  await run.settled

  await expect(run.reply(ask as never, 'a' as never)).rejects.toMatchObject({ code: 'ask_unknown' })
})

it('refuses a reply that does not fit, and keeps the question open', async () => {
  const run = asking(choice({ prompt: 'Which?', options: ['a', 'b'] })).start('Go')
  await run.settled

  await expect(run.reply('1/tool/0/ask/0', 'c')).rejects.toMatchObject({
    code: 'reply_invalid',
    message: 'Choose one of "a", "b".',
  })
  await expect(run.reply('nonsense', 'a')).rejects.toMatchObject({
    code: 'ask_unknown',
    message: 'This run has no open question "nonsense". It asks: 1/tool/0/ask/0.',
  })

  expect(asks(run)).toEqual(['1/tool/0/ask/0'])
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
})

it('takes one of two replies that come at the same time', async () => {
  const schema = z.object({ n: z.number().refine(async () => true) })
  const run = asking(form({ prompt: 'Form', schema })).start('Go')
  await run.settled

  const replies = await Promise.allSettled([1, 2].map((n) => run.reply('1/tool/0/ask/0', { n })))

  expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

it('gives a tool what the schema of its form makes of the reply', async () => {
  const schema = z.object({ day: z.string().transform((day) => day.toUpperCase()) })
  const ask = tool({
    inputSchema: empty,
    execute: async (_, { ask }) => (await ask(form({ prompt: 'When?', schema }))).day,
  })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { ask } }).start('Go')
  await run.settled

  await expect(run.reply('1/tool/0/ask/0', { day: 1 })).rejects.toThrow('day:')
  await run.reply('1/tool/0/ask/0', { day: 'monday' })
  await run.settled

  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { type: 'text', value: 'MONDAY' } }] })
})

const three = { calls: [0, 1, 2].map((n) => ({ name: 'ask', input: { n } })) }
const askN = tool({
  inputSchema: z.object({ n: z.number() }),
  execute: async ({ n }, { ask }) => `${n}: ${await ask(text({ prompt: `Question ${n}` }))}`,
})

it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 0, 2]]])(
  'keeps several questions open, answered in the order %j',
  async (order) => {
    const model = scriptedModel(three, 'Done.')
    const run = agent({ name: 'a', model, tools: { ask: askN } }).start('Go', { observers: [laws()] })

    for (const n of order) {
      expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: run.state.asks })
      await run.reply(`1/tool/${n}/ask/0`, `answer ${n}`)
    }
    await run.settled

    expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject(
      [0, 1, 2].map((n) => ({ output: { value: `${n}: answer ${n}` } })),
    )
  },
)

it('keeps the other questions open while one is answered', async () => {
  const run = agent({ name: 'a', model: scriptedModel(three, 'Done.'), tools: { ask: askN } }).start('Go')
  await run.settled

  await run.reply('1/tool/1/ask/0', 'x')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(asks(run)).toEqual(['1/tool/0/ask/0', '1/tool/2/ask/0'])
})

it('settles only when nothing continues but waiting', async () => {
  let finish = (): void => {}
  const slow = tool({
    inputSchema: empty,
    execute: () => new Promise<string>((resolve) => (finish = () => resolve('slow'))),
  })
  const model = scriptedModel(
    {
      calls: [
        { name: 'ask', input: { n: 1 } },
        { name: 'slow', input: {} },
      ],
    },
    'Done.',
  )
  const run = agent({ name: 'a', model, tools: { ask: askN, slow } }).start('Go', { observers: [laws()] })

  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([asks(run).length, run.state.signal]).toEqual([1, undefined])
  finish()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
})

const stepThatAsks: Step = async (run) => {
  const name = await run.ask('name', text({ prompt: 'Your name?' }))
  return { type: 'answer', output: `Hello ${name}`, reason: 'text' }
}
const greeter = agent({ name: 'greeter', model: scriptedModel(), backend: stepThatAsks })

it('asks from a step', async () => {
  const run = greeter.start('Hi', { observers: [laws()] })

  await run.settled
  await run.reply('name', 'Ann')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello Ann' })
})

it('stops while a step asks', async () => {
  const run = greeter.start('Hi', { observers: [laws()] })
  await run.settled

  await run.stop('Enough.')

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(run.state.asks).toEqual([])
})

it('stops while a tool asks, and continues with the next message', async () => {
  const model = scriptedModel({ calls: [{ name: 'ask', input: { n: 1 } }] }, 'Fine.')
  const run = agent({ name: 'a', model, tools: { ask: askN } }).start('Go', { observers: [laws()] })
  await run.settled

  await run.stop()
  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Stopped.' })
  await run.say('Never mind.')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Fine.' })
  expect(model.calls[1]?.prompt.slice(-2)).toMatchObject([
    { role: 'tool', content: [{ output: { type: 'error-text' } }] },
    { role: 'user', content: [{ text: 'Never mind.' }] },
  ])
})

it('asks again after a reload, and takes the reply there', async () => {
  const before = asking(confirm({ prompt: 'Sure?' })).start('Go')
  await before.settled

  const log = JSON.parse(JSON.stringify(before.log))
  const after = await asking(confirm({ prompt: 'Sure?' })).resume(savedRun(log), { observers: [laws(log)] })
  expect(await after.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/0' }] })
  await new Promise((resolve) => setTimeout(resolve))
  expect(asks(after)).toEqual(['1/tool/0/ask/0'])
})

const booked: string[] = []
const book = tool({
  inputSchema: empty,
  execute: async (_, { ask, once }) => {
    const seat = await once('reserve', () => `seat ${booked.push('reserve')}`)
    const meal = await ask(choice({ prompt: 'Meal?', options: ['fish', 'none'] }))
    const bag = await ask(confirm({ prompt: 'A bag?' }))
    return `${seat}, ${meal}, ${bag ? 'bag' : 'no bag'}`
  },
})
const script = (...done: string[]) => scriptedModel({ calls: [{ name: 'book', input: {} }] }, ...done)

it('continues after a reload between two questions, and does nothing twice', async () => {
  booked.length = 0
  const before = agent({ name: 'a', model: script(), tools: { book } }).start('Go')
  await before.settled
  await before.reply('1/tool/0/ask/0', 'fish')
  await before.settled

  const log = JSON.parse(JSON.stringify(before.log))
  const model = scriptedModel('Done.')
  const after = await agent({ name: 'a', model, tools: { book } }).resume(savedRun(log), { observers: [laws(log)] })
  await after.reply('1/tool/0/ask/1', true)

  expect(await after.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(model.calls[0]?.prompt.at(-1)).toMatchObject({ content: [{ output: { value: 'seat 1, fish, bag' } }] })
  expect(booked).toEqual(['reserve'])
})

it.each(['at once', 'later'])(
  'takes a reply after a reload in which the tool asks in its own time, %s',
  async (when) => {
    const journal = memoryJournal()
    const describe = (model = scriptedModel()) => {
      const slow = tool({
        inputSchema: empty,
        execute: async (_, { ask }) =>
          `chose ${await ask({ ...choice({ prompt: '?', options: ['a'] }), question: slowly() })}`,
      })
      return agent({ name: 'a', model, tools: { slow } })
    }
    const slowly = () => new Promise<ReturnType<typeof question>>((resolve) => setTimeout(() => resolve(question()), 2))
    const question = () => ({ kind: 'choice', prompt: '?', options: [{ value: 'a', label: 'a' }] }) as const
    const before = describe(scriptedModel({ calls: [{ name: 'slow', input: {} }] })).start('Go', { journal, id: 'r' })
    await before.settled

    const after = await describe(scriptedModel('Done.')).resume('r', { journal })
    if (when === 'later') await new Promise((resolve) => setTimeout(resolve, 1))
    await after.reply('1/tool/0/ask/0', 'a')

    expect(await after.settled).toMatchObject({ type: 'answer', output: 'Done.' })
    expect(after.state.asks).toEqual([])
  },
)

it('does not rest for a question that its tool no longer waits for', async () => {
  const impatient = tool({
    inputSchema: empty,
    execute: (_, { ask }) =>
      Promise.race([
        ask(confirm({ prompt: 'Now?' })),
        new Promise((resolve) => setTimeout(() => resolve('gave up'), 5)),
      ]),
  })
  const model = scriptedModel({ calls: [{ name: 'impatient', input: {} }] }, () => new Promise(() => {}))
  const run = agent({ name: 'a', model, tools: { impatient } }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await expect.poll(() => model.calls.length).toBe(2)

  expect(run.state.asks).toEqual([])
  expect(run.state.signal).toBeUndefined()
})

it('runs once what runs at the same time', async () => {
  let times = 0
  const twice = tool({
    inputSchema: empty,
    execute: (_, { once }) => Promise.all([1, 2].map(() => once('key', async () => ++times))),
  })
  const run = agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'twice', input: {} }] }, 'x'),
    tools: { twice },
  }).start('Go')

  await run.settled

  expect(run.state.history.flat()).toContainEqual(
    expect.objectContaining({ calls: [expect.objectContaining({ result: { type: 'json', value: [1, 1] } })] }),
  )
})

it('keeps the results of once for a step across a reload', async () => {
  let times = 0
  const step: Step = async (run) => {
    const id = await run.once('id', () => `id ${++times}`)
    return { type: 'answer', output: `${id} ${await run.ask('q', text({ prompt: '?' }))}`, reason: 'text' }
  }
  const described = agent({ name: 'a', model: scriptedModel(), backend: inOrder(step) })
  const before = described.start('Go')
  await before.settled

  const after = await described.resume(savedRun(JSON.parse(JSON.stringify(before.log))))
  await after.reply('q', 'x')

  expect(await after.settled).toMatchObject({ output: 'id 1 x' })
})

it.each(['ask', 'once'] as const)(
  'keeps a reply apart from a result of once with the same key, %s first',
  async (first) => {
    const journal = memoryJournal()
    let times = 0
    const step: Step = async (run) => {
      if (first === 'once') await run.once('a', () => ++times)
      const reply = await run.ask('once/a', text({ prompt: 'Well?' }))
      return { type: 'answer', output: [reply, await run.once('a', () => ++times)], reason: 'completed' }
    }
    const made = agent({ name: 'a', model: scriptedModel(), backend: step })
    const run = made.start('Go', { id: 'r', journal })
    await run.settled
    await run.reply(asks(run)[0] ?? '', 'yes')
    expect(await run.settled).toMatchObject({ output: ['yes', 1] })

    const cut = memoryJournal()
    await cut.append('r', (await journal.read('r')).slice(0, -1))
    const before = await made.resume('r', { journal: cut })

    expect(await before.settled).toMatchObject({ output: ['yes', 1] })
    expect(times).toBe(1)
  },
)

it('lets an agent without tools ask nothing', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Hi.'), backend: reasonAct() }).start('Go', lawful)

  await expect(run.reply('x', 1)).rejects.toThrow('It asks nothing now.')
})

it('asks whether a tool already ran that was answered while another question of it was open', async () => {
  const both = tool({
    inputSchema: empty,
    execute: async (_, { ask }) =>
      (await Promise.all([ask(text({ prompt: 'Name?' })), ask(confirm({ prompt: 'Sure?' }))])).join(),
  })
  const journal = memoryJournal()
  const describe = (model = scriptedModel()) => agent({ name: 'a', model, tools: { both } })
  const before = describe(scriptedModel({ calls: [{ name: 'both', input: {} }] })).start('Go', { journal, id: 'r' })
  await before.settled
  await before.reply('1/tool/0/ask/1', true)
  await before.settled

  const model = scriptedModel('Done.')
  const after = await describe(model).resume('r', { journal })
  expect(await after.settled).toMatchObject({ asks: [{ id: '1/tool/0/ask/0' }] })
  await after.reply('1/tool/0/ask/0', 'Ann')
  expect(await after.settled).toMatchObject({ asks: [{ id: '1/tool/0/interruption' }] })
  await after.reply('1/tool/0/interruption', 'again')

  expect(await after.settled).toMatchObject({ type: 'answer' })
  expect(model.calls[0]?.prompt.at(-1)).toMatchObject({ content: [{ output: { value: 'Ann,true' } }] })
})

it('gives one answer to the one that asks the same at the same time', async () => {
  const step: Step = async (run) => {
    const answers = await Promise.all([1, 2].map(() => run.ask('same', text({ prompt: '?' }))))
    return { type: 'answer', output: answers.join(), reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend: step }).start('Go', { observers: [laws()] })
  await run.settled

  await run.reply('same', 'x')

  expect(await run.settled).toMatchObject({ output: 'x,x' })
})

it.each<[string, (reply: () => unknown) => unknown]>([
  ['at once', (reply) => reply()],
  ['a moment later', (reply) => Promise.resolve().then(reply)],
])('takes a reply by an observer of the question, %s', async (_, when) => {
  const onAsk = ({ ask }: { ask: { id: string } }) => void when(() => run.reply(ask.id, 'yes'))
  const run: Run = asking(text({ prompt: '?' })).start('Go', { observers: [laws(), observer({ onAsk })] })

  await expect.poll(() => run.state.signal).toMatchObject({ type: 'answer' })
})

it('does not rest while an activity of a step works next to one that waits', async () => {
  let finish = (): void => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const backend: Step = async (run) => {
    const [waits, works] = [run.activity(), run.activity()]
    const answer = waits.ask('sure', confirm({ prompt: 'Sure?' })).finally(() => waits.end())
    await slow.finally(() => works.end())
    return { type: 'answer', output: await answer, reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { observers: [laws()] })

  await new Promise((resolve) => setTimeout(resolve))
  expect([run.state.asks.length, run.state.signal]).toEqual([1, undefined])
  finish()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await run.reply('sure', true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: true })
})

it('can be stopped by who learns of a question', async () => {
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(text({ prompt: 'Well?' })) })
  const run = agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }), tools: { ask } }).start(
    'Go',
  )

  run.subscribe((event) => event.type === 'asked' && void run.stop())

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

it('asks nothing any more once the run is stopped', async () => {
  let stopped = (): void => {}
  const stop = new Promise<void>((resolve) => {
    stopped = resolve
  })
  const backend: Step = async (run) => {
    if (!run.state.notes.again) await stop
    run.emit({ type: 'noted', key: 'again', value: true })
    return { type: 'answer', output: await run.ask('sure', confirm({ prompt: 'Sure?' })), reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { observers: [laws()] })

  const ended = run.stop('Enough.')
  stopped()
  await ended
  expect([run.state.signal, run.state.asks]).toEqual([{ type: 'stopped', reason: 'Enough.' }, []])
  run.resume()
  await run.settled
  await run.reply('sure', true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: true })
})

it('fails a reply whose check throws, and leaves the question open', async () => {
  const cause = new Error('No rates today.')
  const rate = form({
    prompt: 'Rate?',
    schema: z.number().refine((): boolean => {
      throw cause
    }),
  })
  const run = asking(rate).start('Go')
  await run.settled

  await expect(run.reply('1/tool/0/ask/0', 2)).rejects.toMatchObject({
    code: 'step_failed',
    message: cause.message,
    cause,
  })
  expect(asks(run)).toEqual(['1/tool/0/ask/0'])
})

it('leaves no question open with its answer that the code has not asked again after a reload', async () => {
  const before: Step = async (run) => void (await run.ask('sure', confirm({ prompt: 'Sure?' })))
  const made = { name: 'a', model: scriptedModel('Done.') }
  const first = agent({ ...made, backend: before }).start('Go')
  await first.settled

  const run = await agent(made).resume(savedRun(first.log))

  await vi.waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Done.' }))
  expect(asks(run)).toEqual([])
})

it.each([
  [
    'ask() needs a question of choice(), choices(), confirm(), text(), form() or link(), and run.ask() a key before it.',
    (run: RunContext) => run.ask(confirm({ prompt: 'Sure?' }) as never, undefined as never),
  ],
  ['ask() needs a question of', (run: RunContext) => run.ask('sure', { question: { kind: 'confirm' } } as never)],
  ['Give once() a key and a function.', (run: RunContext) => run.once((() => 1) as never, undefined as never)],
  ['The agent of runChild() must be', (run: RunContext) => runChild(run, undefined as never)],
])('says what a step omits: %s', async (problem, call) => {
  const backend: Step = async (run) => void (await call(run))
  const made = agent({ name: 'a', model: scriptedModel(), backend })

  // A journal brings the code for questions.
  const signals = [await made.start('Go').settled, await made.start('Go', { journal: memoryJournal() }).settled]

  for (const signal of signals)
    expect(signal).toMatchObject({ type: 'failed', error: { message: expect.stringContaining(problem) } })
})
