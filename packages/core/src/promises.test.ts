import { until } from '@interleave/test-kit/until'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { jsonSchema } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Event } from './event.ts'
import { recorder } from './history/index.ts'
import { localHost } from './host.ts'
import {
  AgentError,
  type Ask,
  agent,
  answer,
  approval,
  choice,
  confirm,
  finalAnswer,
  type Run,
  reasonAct,
  type Step,
  type ToolContext,
  type ToolSet,
  text,
  tool,
} from './index.ts'
import { type AppendOptions, exportRun, type Journal, memoryJournal } from './journal/index.ts'
import { Writer } from './log/writer.ts'
import { guardCalls, guardInput } from './steps/guard.ts'
import { guardOutput, postprocess, validate } from './steps/judgeAnswers.ts'
import { allow } from './steps/verdict.ts'
import { planNext } from './tools/index.ts'

const empty = z.object({})
const calls = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name, input: {} })) })
const ticks = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await undefined
}
/** Resolves once this is true, however long it takes. */
/** The journal as a page leaves it that dies now. */
const crashed = async (journal: Journal, id: string): Promise<Journal> => {
  const copy = memoryJournal()
  await copy.append(id, structuredClone(await journal.read(id)))
  return copy
}
const event = (seq: number): Event => ({ type: 'resumed', seq, at: 0, iteration: 0 })

it.each(Array.from({ length: 12 }, (_, after) => after))(
  'I1: says that an event is durable when the journal has it, and not %i microtasks after another write',
  async (after) => {
    const written: Event[] = []
    const append = async (_: string, events: readonly Event[]): Promise<void> => void written.push(...events)
    const writer = new Writer({
      journal: { ...memoryJournal(), claim: () => 1, append },
      ...{ runId: () => 'r', durableSeq: 0, host: localHost, onSaving: () => {} },
    })
    writer.add(event(0))
    const first = writer.durable()
    await ticks(after)
    writer.add(event(1))

    await writer.durable()

    expect(written.map(({ seq }) => seq)).toEqual([0, 1])
    expect(writer.durableSeq).toBe(2)
    await first
  },
)

it('I1: starts no tool before the journal has its claim, however many run next to each other', async () => {
  const kept = memoryJournal()
  const early: string[] = []
  const slow = async (id: string, events: readonly Event[], options?: AppendOptions) => {
    await ticks(events.length % 5)
    return kept.append(id, events, options)
  }
  const look = tool({
    inputSchema: empty,
    effect: 'idempotent',
    async execute(_, { idempotencyKey }) {
      const log = await kept.read('r')
      const key = idempotencyKey.slice(2)
      if (!log.some((each) => each.type === 'claimed' && each.call === key)) early.push(key)
      await ticks(Number(key.at(-1)) * 3)
      return 'seen'
    },
  })
  const turns = Array.from({ length: 40 }, () => calls(...Array.from({ length: 8 }, () => 'look')))
  const model = scriptedModel(...turns, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go', { id: 'r', journal: { ...kept, append: slow } })

  expect(await run.settled).toMatchObject({ type: 'limitReached' })
  expect(early).toEqual([])
})

/** Asks for the approval of `pay` with this input, by a schema that may be another one after a reload. */
async function approving(given: object, describe: (life: number) => ToolSet) {
  const journal = memoryJournal()
  const model = scriptedModel({ calls: [{ name: 'pay', input: given }] }, 'Done.', 'Done.', 'Done.')
  const start = (life: number) => agent({ name: 'a', model, tools: describe(life) })
  const run = start(0).start('Go', { id: 'r', journal })
  await run.settled
  return {
    run,
    journal,
    reload: async (life: number): Promise<Run> => {
      return start(life).resume('r', { journal: await crashed(journal, 'r') })
    },
  }
}
const asked = ({ state }: Run) => state.asks.flatMap((ask) => (ask.kind === 'approval' ? [ask] : []))

it('I2: applies an edit to what was shown, so that no transform is made twice', async () => {
  const ran: unknown[] = []
  const inputSchema = z.object({
    cents: z.number().transform((euros) => euros * 100),
    note: z.string(),
    on: z.string().transform((day) => new Date(day)),
  })
  const pay = tool({ inputSchema, approve: approval(), execute: (input) => void ran.push(input) })
  const { run } = await approving({ cents: 5, note: 'a', on: '2026-01-01' }, () => ({ pay }))
  const [ask] = asked(run)
  expect(ask?.input).toMatchObject({ cents: 500 })

  await run.reply('1/tool/0/approval', { approved: true, input: { ...(ask?.input as object), note: 'b' } })
  await run.settled

  expect(ran).toEqual([{ cents: 500, note: 'b', on: new Date('2026-01-01') }])
})

it.each([
  ['a transformed number', { cents: 700, note: 'a' }, { cents: 700, note: 'a' }],
  ['both', { cents: 700, note: 'b' }, { cents: 700, note: 'b' }],
])('I2: runs with %s as the user wrote it', async (_, input, expected) => {
  const ran: unknown[] = []
  const inputSchema = z.object({ cents: z.number().transform((euros) => euros * 100), note: z.string().trim() })
  const pay = tool({ inputSchema, approve: approval(), execute: (given) => void ran.push(given) })
  const { run } = await approving({ cents: 5, note: 'a' }, () => ({ pay }))

  await run.reply('1/tool/0/approval', { approved: true, input })
  await run.settled

  expect(ran).toEqual([expected])
})

it.each([
  ['that the schema would change', { note: ' b ' }, 'would not run with this input, but with {"note":"b"}'],
  ['with a member that the schema drops', { note: 'a', admin: true }, 'would not run with this input'],
  ['that does not fit', { note: 1 }, 'note:'],
])('I2: refuses an edit %s', async (_, input, message) => {
  const pay = tool({ inputSchema: z.object({ note: z.string().trim() }), approve: approval(), execute: () => '' })
  const { run } = await approving({ note: 'a' }, () => ({ pay }))

  await expect(run.reply('1/tool/0/approval', { approved: true, input })).rejects.toThrow(message)
  expect(asked(run)).toHaveLength(1)
})

it('I2: transforms an edited input once, also when the call is run again after a crash', async () => {
  const ran: unknown[] = []
  let isLost = true
  const inputSchema = z.object({ cents: z.number().transform((euros) => euros * 100), note: z.string() })
  const execute = (input: object) => {
    ran.push(input)
    return isLost ? new Promise<string>(() => {}) : 'paid'
  }
  const pay = tool({ inputSchema, effect: 'idempotent', approve: approval(), execute })
  const { run, reload } = await approving({ cents: 5, note: 'a' }, () => ({ pay }))
  await run.reply('1/tool/0/approval', { approved: true, input: { cents: 500, note: 'b' } })
  await until(() => ran.length > 0)
  isLost = false
  await (await reload(1)).settled

  expect(ran).toEqual([
    { cents: 500, note: 'b' },
    { cents: 500, note: 'b' },
  ])
})

it.each([
  [
    'a look-up in the schema',
    (life: number) => ({ inputSchema: z.object({ to: z.string().transform((to) => (life ? 'XX' : to)) }) }),
  ],
  [
    'a default',
    (life: number) => ({ inputSchema: z.object({ to: z.string(), cents: z.number().default(life ? 500_000 : 5) }) }),
  ],
  ['a schema', (life: number) => ({ inputSchema: z.object({ to: life ? z.string().describe('Name') : z.string() }) })],
  [
    'a prompt',
    (life: number) => ({ inputSchema: z.object({ to: z.string() }), approve: () => approval(`Pay as ${life}?`) }),
  ],
  [
    'no policy',
    (life: number) => ({ inputSchema: z.object({ to: z.string() }), approve: () => !life && approval('Pay?') }),
  ],
])('I2: asks again after a reload when %s has changed, and takes no answer to what was shown before', async (_, of) => {
  const ran: unknown[] = []
  const { run, journal, reload } = await approving({ to: 'DE' }, (life) => ({
    pay: tool({ approve: approval(), ...of(life), execute: (input: unknown) => void ran.push(input) }),
  }))
  const [first] = asked(run)

  const open = await reload(1)
  await until(() => asked(open)[0]?.id !== first?.id)
  expect(asked(open)).toHaveLength(1)
  await expect(open.reply('1/tool/0/approval', { approved: true })).rejects.toMatchObject({ code: 'ask_unknown' })

  // It was answered in the moment in which the page went away.
  const at = run.state.seq
  const reply = { type: 'replied', ask: '1/tool/0/approval', value: { approved: true }, at: 0, iteration: 1 } as const
  await journal.append('r', [{ ...reply, seq: at }])
  const answered = await reload(1)
  await until(() => asked(answered).length > 0)
  expect(ran).toEqual([])
  const [third] = asked(answered)
  await answered.reply(third?.id ?? '', { approved: true })
  await answered.settled
  expect(ran).toEqual([third?.input])
})

it('I2: asks a question of a tool again after a reload when it asks something else', async () => {
  const journal = memoryJournal()
  const acted: string[] = []
  const describe = (to: string, ...turns: ScriptedTurn[]) => {
    const send = tool({
      inputSchema: empty,
      effect: 'idempotent',
      execute: async (_, { ask }) => (await ask(confirm({ prompt: `Send to ${to}?` }))) && acted.push(to),
    })
    return agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools: { send } })
  }
  const run = describe('Ann', calls('send')).start('Go', { id: 'r', journal })
  await run.settled
  const replied = { type: 'replied', ask: '1/tool/0/ask/0', value: true, at: 0, iteration: 1 } as const
  await journal.append('r', [{ ...replied, seq: run.state.seq }])

  const after = await describe('Eve').resume('r', { journal })

  expect(await after.settled).toMatchObject({ asks: [{ prompt: 'Send to Eve?' }] })
  expect(acted).toEqual([])
})

it('I3: gives the second caller of a key its value only when the journal has it', async () => {
  const kept = memoryJournal()
  const given: unknown[] = []
  let isHeld = false
  let release = (): void => {}
  const append = async (id: string, events: readonly Event[], options?: AppendOptions) => {
    if (isHeld) await new Promise<void>((resolve) => (release = resolve))
    return kept.append(id, events, options)
  }
  const draw = tool({
    inputSchema: empty,
    async execute(_, { once }) {
      isHeld = true
      const first = once('n', () => 4)
      await ticks(5)
      const second = once('n', () => 5)
      void Promise.all([first.then((n) => given.push(n)), second.then((n) => given.push(n))])
      await new Promise((resolve) => setTimeout(resolve))
      given.push('nothing yet')
      isHeld = false
      release()
      return Promise.all([first, second])
    },
  })
  const model = scriptedModel(calls('draw'), 'Done.')
  await agent({ name: 'a', model, tools: { draw } }).start('Go', { journal: { ...kept, append } }).settled

  expect(given).toEqual(['nothing yet', 4, 4])
})

it('I3: settles with what the journal said when it cannot write the rest, and has it afterwards', async () => {
  const kept = memoryJournal()
  let room = true
  const append = (id: string, events: readonly Event[], options?: AppendOptions) => {
    if (!room && events.some(({ type }) => type === 'settled')) throw new Error('The disk is gone.')
    return kept.append(id, events, options)
  }
  room = false
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go', { journal: { ...kept, append } })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })

  room = true
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hi.' })
  expect(await kept.read(run.id)).toHaveLength(run.state.seq)
})

const twoAtOnce = (acted: string[]) =>
  tool({
    inputSchema: empty,
    async execute(_, { ask }: ToolContext) {
      const [name] = await Promise.all([
        ask(text({ prompt: 'Name?' })).then((given) => `${acted.push(given)} ${given}`),
        ask(confirm({ prompt: 'Sure?' })),
      ])
      return `booked for ${name}`
    },
  })

it.each(['in the first life', 'after a reload'])(
  'I5: repeats nothing unasked that was done with an answer %s',
  async (when) => {
    const acted: string[] = []
    let journal: Journal = memoryJournal()
    const describe = (...turns: ScriptedTurn[]) =>
      agent({ name: 'a', model: scriptedModel(...turns), tools: { book: twoAtOnce(acted) } })
    let run: Run = describe(calls('book')).start('Go', { id: 'r', journal })
    await run.settled
    if (when === 'after a reload') {
      journal = await crashed(journal, 'r')
      run = await describe('Done.').resume('r', { journal })
    }
    await run.reply('1/tool/0/ask/0', 'Ann')
    await until(() => acted.length > 0)

    const after = await describe('Done.').resume('r', { journal: await crashed(journal, 'r') })

    await until(() => after.state.asks.length > 1)
    expect(after.state.asks).toMatchObject([{ id: '1/tool/0/ask/1' }, { id: '1/tool/0/interruption' }])
    expect(acted).toEqual(['Ann'])
    await after.reply('1/tool/0/interruption', 'done')
    expect(await after.settled).toMatchObject({ type: 'answer' })
    expect(acted).toEqual(['Ann'])
  },
)

it('I5: claims once more before it runs again what was interrupted, with a question open', async () => {
  const acted: string[] = []
  let journal: Journal = memoryJournal()
  const describe = (...turns: ScriptedTurn[]) =>
    agent({ name: 'a', model: scriptedModel(...turns), tools: { book: twoAtOnce(acted) } })
  const run = describe(calls('book')).start('Go', { id: 'r', journal })
  await run.settled
  await run.reply('1/tool/0/ask/0', 'Ann')
  for (const life of [1, 2]) {
    journal = await crashed(journal, 'r')
    const next = await describe('Done.').resume('r', { journal })
    await until(() => next.state.asks.length > 1)
    expect([life, acted.length]).toEqual([life, life])
    await next.reply(next.state.asks[1]?.id ?? '', 'again')
    await until(() => acted.length > life)
  }
})

const passThrough: ToolSet[string] = jsonSchema<{ list: string[] }>({ type: 'object' })

it('I6: gives a tool an input of its own, and results of `once`, answers and messages too', async () => {
  const states: string[] = []
  const change = tool({
    inputSchema: passThrough as never,
    async execute(input: { list: string[] }, { once, ask, messages }) {
      const noted = (await once('list', () => ['noted'])) as string[]
      const again = (await once('list', () => [])) as string[]
      const answer = (await ask({
        ...text({ prompt: '?' }),
        check: (value) => ({ ok: true, value }),
      })) as unknown as string[]
      for (const list of [input.list, noted, again, answer]) list.push('changed')
      for (const message of messages) Object.assign(message, { role: 'user', content: 'changed' })
      for (const { content } of messages) if (Array.isArray(content)) content.length = 0
      return 'done'
    },
  })
  const journal = memoryJournal()
  const model = scriptedModel({ calls: [{ name: 'change', input: { list: ['given'] } }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { change } }).start('Go', { id: 'r', journal })
  run.subscribe((_, state) => states.push(JSON.stringify(state.history)))
  await run.settled
  const reply = ['answered']
  await run.reply('1/tool/0/ask/0', reply)
  await run.settled

  expect([JSON.stringify(run.state), JSON.stringify(await journal.read('r')), states.join()].join()).not.toContain(
    'changed',
  )
  expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('changed')
})

it.each([2, 3, 4])(
  'continues with every call once the journal has room again, if write %i is the first to fail',
  async (fails) => {
    let writes = 0
    let room = true
    const kept = memoryJournal()
    const append = async (id: string, events: readonly Event[], options?: AppendOptions) => {
      if (++writes === fails) room = false
      if (!room) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      return kept.append(id, events, options)
    }
    const tools = {
      pay: tool({ inputSchema: empty, approve: approval(), execute: () => 'paid' }),
      ask: tool({ inputSchema: empty, execute: async (_, { ask }) => ask(confirm({ prompt: '?' })) }),
      charge: tool({ inputSchema: empty, execute: () => 'charged' }),
      look: tool({ inputSchema: empty, effect: 'readOnly', execute: () => 'seen' }),
    }
    const model = scriptedModel(calls('charge', 'pay', 'look', 'ask'), 'Done.')
    const run = agent({ name: 'a', model, tools }).start('Go', { journal: { ...kept, append } })
    const signals: string[] = []
    for (let signal = await run.settled; signal.type !== 'answer' && signals.length < 9; signal = await run.settled) {
      signals.push(signal.type)
      if (signal.type === 'failed') {
        room = true
        run.resume()
        continue
      }
      const [open] = run.state.asks
      if (open) await run.reply(open.id, open.kind === 'approval' ? { approved: true } : true).catch(() => {})
    }

    expect(signals.filter((type) => type === 'failed')).toHaveLength(1)
    expect(await kept.read(run.id)).toHaveLength(run.state.seq)
  },
)

it('I6: lets nothing that an app gives or is given reach into the state', async () => {
  const content = [{ type: 'text' as const, text: 'Go' }]
  const noted = { list: ['noted'] }
  const look = planNext(tool({ inputSchema: empty, execute: () => ({ list: ['seen'] }) }), (output) => {
    output.list.push('changed')
    return {}
  })
  const think = reasonAct()
  const backend: Step = (context) => {
    if (!context.state.notes.n) context.emit({ type: 'noted', key: 'n', value: noted })
    return think(context)
  }
  const model = scriptedModel(calls('look'), 'Done.')
  const run = agent({ name: 'a', model, tools: { look }, backend }).start(content)
  await run.settled
  Object.assign(content[0] ?? {}, { text: 'changed' })
  noted.list.push('changed')

  expect(run.state.signal).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(run.state)).not.toContain('changed')
})

it('I6: gives files, lists and a conversion for the model copies of their own', async () => {
  const look = tool({
    inputSchema: empty,
    execute: () => ({ list: ['seen'] }),
    toModelOutput({ output }) {
      output.list.push('changed')
      return { type: 'text', value: 'Seen.' }
    },
  })
  const journal = memoryJournal()
  const recording = recorder({ live: true })
  const made = agent({ name: 'a', model: scriptedModel(calls('look'), 'Done.'), tools: { look } })
  const run = made.start('Go', { id: 'r', journal, observers: [recording] })
  await run.settled
  const given = [await exportRun(run), recording.export(), await journal.list()]

  change(given)

  const all = [run.state, run.log, await exportRun(run), recording.export(), await journal.list()]
  expect(JSON.stringify(all)).not.toContain('changed')
})

/** Changes every member of a value that it can. */
function change(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  for (const member of Object.values(value)) change(member)
  Object.assign(value, { more: 'changed' })
}

it('I2: takes the latest approval of a call, and asks again when what it allowed is no longer what would run', async () => {
  const ran: unknown[] = []
  const { run, journal, reload } = await approving({ to: 'DE' }, (life) => ({
    pay: tool({
      inputSchema: z.object({ to: z.string(), in: z.string().default(life ? 'CHF' : 'EUR') }),
      approve: approval(),
      execute: (input) => void ran.push(input),
    }),
  }))
  const approve = (ask: string, seq: number) =>
    journal.append('r', [{ type: 'replied', ask, value: { approved: true }, at: 0, iteration: 1, seq }])
  await approve('1/tool/0/approval', run.state.seq)
  const other = await reload(1)
  await until(() => asked(other).length > 0)
  const ask = asked(other)[0] as Ask
  const at = run.state.seq + 1
  await journal.append('r', [{ type: 'asked', ask, at: 0, iteration: 1, seq: at }])
  await approve(ask.id, at + 1)

  const back = await reload(0)

  await until(() => asked(back).length > 0)
  expect([asked(back)[0]?.input, ran]).toEqual([{ to: 'DE', in: 'EUR' }, []])
})

it('owns the run after a resume() in the middle of a write', async () => {
  const kept = memoryJournal()
  const slow = async (id: string, events: readonly Event[], options?: AppendOptions) => {
    await new Promise((resolve) => setTimeout(resolve))
    return kept.append(id, events, options)
  }
  const model = scriptedModel(calls('wait'), 'Done.')
  const wait = tool({ inputSchema: empty, effect: 'readOnly', execute: () => new Promise(() => {}) })
  const run = agent({ name: 'a', model, tools: { wait } }).start('Go', { journal: { ...kept, append: slow } })
  await until(() => run.state.toolCalls > 0)
  void run.stop()
  await until(() => run.state.signal !== undefined)
  run.resume()

  await until(() => run.state.signal?.type === 'answer')
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(await kept.read(run.id)).toHaveLength(run.state.seq)
})

it('takes what a reply was when it was given', async () => {
  const { run } = await approving({ note: 'a' }, () => ({
    pay: tool({ inputSchema: z.object({ note: z.string() }), approve: approval(), execute: () => 'paid' }),
  }))
  const value = { approved: false, reason: 'No.' }
  const replying = run.reply('1/tool/0/approval', value)
  Object.assign(value, { approved: true })
  await replying
  await run.settled

  expect(run.state.history.flat().find((entry) => entry.type === 'turn')).toMatchObject({
    calls: [{ error: { code: 'tool_refused', message: 'No.' } }],
  })
})

it('takes a failure of a journal that a tool throws for a failure of the tool', async () => {
  const look = tool({
    inputSchema: empty,
    execute: () => Promise.reject(new AgentError('journal_failed', 'The journal of another run.')),
  })
  const model = scriptedModel(calls('look', 'look'), 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go', { journal: memoryJournal() })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})

it('tells an old failure of the journal once, and not again after resume()', async () => {
  const kept = memoryJournal()
  let isFull = false
  const append = async (id: string, events: readonly Event[], options?: AppendOptions) => {
    if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    return kept.append(id, events, options)
  }
  let work = (): void => {}
  const working = new Promise<void>((resolve) => (work = resolve))
  const seats = tool({
    inputSchema: empty,
    execute: async (_, { ask }) =>
      (await Promise.all([ask(text({ prompt: 'Row?' })), ask(text({ prompt: 'Seat?' }))])).join(),
  })
  const charge = tool({ inputSchema: empty, execute: () => working.then(() => 'charged') })
  const model = scriptedModel(calls('seats', 'charge'), 'Done.')
  const run = agent({ name: 'a', model, tools: { seats, charge } }).start('Go', { journal: { ...kept, append } })
  const signals: string[] = []
  run.subscribe((event) => event.type === 'settled' && signals.push(event.signal.type))
  await until(() => run.state.asks.length === 2 && run.state.toolCalls === 2)
  isFull = true
  void run.reply('1/tool/0/ask/0', 'A').catch(() => {})
  work()
  await run.settled
  isFull = false
  run.resume()
  for (let ask = run.state.asks[0]; run.state.signal?.type !== 'answer'; ask = run.state.asks[0]) {
    if (ask && run.state.signal?.type === 'inputNeeded')
      await run.reply(ask.id, ask.kind === 'choice' ? 'again' : 'B').catch(() => {})
    await new Promise((resolve) => setTimeout(resolve))
  }

  expect(signals.filter((type) => type === 'failed')).toHaveLength(1)
  expect(signals.at(-1)).toBe('answer')
})

it('I1: gives a tool no answer before its claim is durable, however many answers came before it was run', async () => {
  const acted: string[] = []
  const journal = memoryJournal()
  const describe = (...turns: ScriptedTurn[]) => {
    const seats = tool({
      inputSchema: empty,
      async execute(_, { ask }) {
        const act = (name: string) => async (value: unknown) => {
          const log = await journal.read('r')
          acted.push(`${name} ${log.findLast(({ type }) => type === 'claimed' || type === 'replied')?.type}`)
          return value
        }
        await Promise.all([
          ask(text({ prompt: 'Row?' })).then(act('row')),
          ask(text({ prompt: 'Meal?' })).then(act('meal')),
        ])
        return 'booked'
      },
    })
    return agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools: { seats } })
  }
  const run = describe(calls('seats')).start('Go', { id: 'r', journal })
  await run.settled
  const reply = { type: 'replied', value: 'A', at: 0, iteration: 1 } as const
  await journal.append('r', [
    { ...reply, ask: '1/tool/0/ask/0', seq: run.state.seq },
    { ...reply, ask: '1/tool/0/ask/1', seq: run.state.seq + 1 },
  ])

  await (await describe().resume('r', { journal })).settled

  expect(acted).toEqual(['row claimed', 'meal claimed'])
})

it.each<[string, () => unknown]>([
  ['a Map', () => new Map([['to', 'XX']])],
  ['NaN', () => Number.NaN],
  ['a function', () => () => 'XX'],
  ['an object that says something else', () => ({ to: 'XX', toJSON: () => ({ to: 'DE' }) })],
])('I2: asks no one to approve %s, which JSON cannot show', async (_, made) => {
  const ran: unknown[] = []
  const pay = tool({
    inputSchema: z.object({ to: z.string().transform(made) }),
    approve: approval(),
    execute: (input) => void ran.push(input),
  })
  const { run } = await approving({ to: 'DE' }, () => ({ pay }))

  expect(ran).toEqual([])
  expect(run.state.history.flat().find((entry) => entry.type === 'turn')).toMatchObject({
    calls: [{ error: { code: 'tool_input_invalid', message: expect.stringContaining('cannot be approved') } }],
  })
})

it.each<[string, () => unknown]>([
  ['a Map', () => new Map([['to', 'XX']])],
  ['an object with a secret', () => Object.assign(Object.create({ to: 'XX' }), {})],
  ['an object that says something else', () => ({ to: 'XX', toJSON: () => ({}) })],
])('I2: refuses an edit that the schema turns into %s, although its JSON is what the user wrote', async (_, made) => {
  const ran: unknown[] = []
  const pay = tool({
    inputSchema: z.object({ to: z.union([z.string(), z.object({}).transform(made)]) }),
    approve: approval(),
    execute: (input) => void ran.push(input),
  })
  const { run } = await approving({ to: 'DE' }, () => ({ pay }))
  const [ask] = run.state.asks

  await expect(run.reply(ask?.id ?? '', { approved: true, input: { to: {} } })).rejects.toThrow('JSON cannot show all')

  expect([ran, run.state.asks]).toEqual([[], [ask]])
})

it('I2: refuses an edit to null that the schema turns into a number without end', async () => {
  const ran: unknown[] = []
  const pay = tool({
    inputSchema: z.object({
      cents: z
        .number()
        .nullable()
        .transform((cents) => cents ?? Number.POSITIVE_INFINITY),
    }),
    approve: approval(),
    execute: (input) => void ran.push(input),
  })
  const { run } = await approving({ cents: 5 }, () => ({ pay }))
  const reply = run.reply(run.state.asks[0]?.id ?? '', { approved: true, input: { cents: null } })

  await expect(reply).rejects.toMatchObject({ code: 'reply_invalid' })
  expect(ran).toEqual([])
})

interface Work {
  ask(): Promise<string>
  pay(): Promise<unknown>
  once: ToolContext['once']
  paid: string[]
  isOpen(): boolean
}
it.each<[string, (work: Work) => Promise<unknown>]>([
  ['that is asked with it', ({ ask, pay }) => Promise.all([ask(), pay()])],
  ['that is asked after it began', ({ ask, pay }) => Promise.all([pay(), ask()])],
  [
    'that was open before',
    async ({ ask, pay, isOpen }) => {
      const answer = ask()
      await until(isOpen)
      return [await pay(), await answer]
    },
  ],
  [
    'that it returns itself',
    ({ ask, once, paid }) =>
      once('pay', () => {
        paid.push('paid')
        return ask()
      }),
  ],
])('I5: asks about what once() did next to a question %s, if the page dies meanwhile', async (_, work) => {
  const paid: string[] = []
  const pay = tool({
    inputSchema: z.object({}),
    execute: (_input, { ask, once }) =>
      work({
        once,
        paid,
        ask: () => ask(choice({ prompt: 'Where?', options: ['Here', 'There'] })),
        pay: () => once('pay', () => new Promise<string>(() => void paid.push('paid'))),
        isOpen: (): boolean => run.state.asks.length > 0,
      }),
  })
  const [journal, resumed] = [memoryJournal(), memoryJournal()]
  const describe = () => agent({ name: 'a', model: scriptedModel(calls('pay'), 'Done.'), tools: { pay } })
  const run = describe().start('Go', { id: 'r', journal })
  await run.settled
  await until(() => paid.length > 0)
  await resumed.append('r', await journal.read('r'))

  const again = await describe().resume('r', { journal: resumed })
  await until(() => again.state.asks.some(({ id }) => id === '1/tool/0/interruption'))

  expect(paid).toEqual(['paid'])
})

it.each(['in the same life', 'over a reload'])(
  'I5: asks about what a tool did next to a question that it did not await, if it is interrupted: %s',
  async (when) => {
    const paid: string[] = []
    const pay = tool({
      inputSchema: empty,
      async execute(_, { ask }: ToolContext) {
        void ask(text({ prompt: 'A note?' })).catch(() => {})
        await until(() => run.state.asks.length > 0)
        paid.push('paid')
        throw new AgentError('tool_interrupted', 'The line went dead.')
      },
    })
    const describe = (...turns: ScriptedTurn[]) => agent({ name: 'a', model: scriptedModel(...turns), tools: { pay } })
    const journal = memoryJournal()
    let run: Run = describe(calls('pay'), 'Done.').start('Go', { id: 'r', journal })
    await until(() => run.state.asks.length > 1)
    await run.settled
    if (when === 'over a reload') run = await describe('Done.').resume('r', { journal: await crashed(journal, 'r') })

    await run.reply('1/tool/0/interruption', 'done')

    expect(await run.settled).toMatchObject({ type: 'answer' })
    expect(paid).toEqual(['paid'])
  },
)

it('I6: gives each call, each policy and each tool an input of its own', async () => {
  const ran: string[] = []
  const shared: string[] = []
  const kept: { list: string[] }[] = []
  const add = tool({
    inputSchema: z.object({ list: z.array(z.string()).default(shared) }),
    effect: 'readOnly',
    approve: (input) => {
      kept.push(input)
      input.list.push('policy')
      return false
    },
    execute: (input) => {
      ran.push(JSON.stringify(input))
      input.list.push('tool')
    },
  })
  const model = scriptedModel(calls('add', 'add', 'add'), 'Done.')
  await agent({ name: 'a', model, tools: { add } }).start('Go').settled

  expect([ran, shared]).toEqual([Array(3).fill('{"list":[]}'), []])
})

it('I6: lets no check change what it is given', async () => {
  const spoiled: string[] = []
  const spoil = (value: unknown): undefined => {
    const { list } = value as { list: string[] }
    spoiled.push(list.join())
    list.push('spoiled')
  }
  const spoiling = (value: unknown) => spoil(value) ?? allow
  const guide = agent({
    name: 'a',
    model: scriptedModel(
      { calls: [{ name: 'pay', input: { list: ['call'] } }] },
      { calls: [{ name: 'final_answer', input: { list: ['answer'] } }] },
    ),
    tools: { pay: tool({ inputSchema: z.object({ list: z.array(z.string()) }), execute: ({ list }) => list }) },
    output: answer(z.object({ list: z.array(z.string()) })),
    backend: reasonAct({
      before: [guardInput((content) => spoiling({ list: content }))],
      between: [guardCalls(({ input }) => spoiling(input))],
      stop: postprocess<{ list: string[] }>(
        validate(guardOutput(finalAnswer(), spoiling), (answer) => spoil(answer)),
        ({ list }) => ({ list }),
      ),
    }),
  })
  const journal = memoryJournal()
  const content = [{ type: 'text' as const, text: 'Go' }]
  const run = guide.start(content, { id: 'r', journal })
  await run.settled

  expect(JSON.stringify([run.state, run.log, await journal.read('r')])).not.toContain('spoiled')
  expect(spoiled).toHaveLength(4)
})
