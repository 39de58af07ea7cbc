import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, AgentError, agent, confirm, type Run, reasonAct, tool } from './index.ts'
import { type Journal, memoryJournal, savedRun } from './journal/index.ts'

const inputSchema = z.object({})
const never = new Promise<never>(() => {})
const calls = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name, input: {} })) })
/** Calls once and is done, whenever it is asked. */
const model = (...names: string[]) =>
  scriptedModel(
    ...Array.from(
      { length: 20 },
      (): ScriptedTurn =>
        ({ prompt }) => {
          return prompt.some(({ role }) => role === 'tool') ? 'Done.' : calls(...names)
        },
    ),
  )
const idle = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Asks, and then does something that takes for ever the first time. */
function booking(): { readonly made: () => Agent<string>; readonly booked: string[] } {
  const booked: string[] = []
  const book = tool({
    inputSchema,
    async execute(_, { ask, idempotencyKey }) {
      if (!(await ask(confirm({ prompt: 'Sure?' })))) return 'left'
      return booked.push(idempotencyKey) === 1 ? never : 'booked'
    },
  })
  return { made: () => agent({ name: 'a', model: model('book'), tools: { book } }), booked }
}

it('resumes from its log, saved as JSON, as from a journal', async () => {
  const ask = tool({ inputSchema, execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
  const made = () => agent({ name: 'a', model: model('ask'), tools: { ask } })
  const first = made().start('Go')
  await first.settled
  const saved = JSON.stringify(first.log)

  const run = await made().resume(savedRun(JSON.parse(saved)))
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await run.reply('1/tool/0/ask/0', true)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.log.slice(0, first.log.length)).toEqual(first.log)
  expect(() => savedRun(JSON.parse(saved).slice(1))).toThrow(AgentError)
})

it('asks about a tool that continued with an answer', async () => {
  const [{ made, booked }, journal] = [booking(), memoryJournal()]
  const first = made().start('Go', { id: 'r', journal })
  await first.settled
  await first.reply('1/tool/0/ask/0', true)
  await expect.poll(() => booked).toHaveLength(1)

  const run = await made().resume('r', { journal })
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  await run.reply('1/tool/0/interruption', 'done')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(booked).toHaveLength(1)
})

it('asks about a tool that was given an answer at once, after a reload', async () => {
  const [{ made, booked }, journal] = [booking(), memoryJournal()]
  await made().start('Go', { id: 'r', journal }).settled
  const second = await made().resume('r', { journal })
  await second.reply('1/tool/0/ask/0', true)
  await expect.poll(() => booked).toHaveLength(1)

  const run = await made().resume('r', { journal })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  expect(booked).toHaveLength(1)
})

it('lets a tool continue with an answer once it is kept', async () => {
  const [{ made, booked }, kept] = [booking(), memoryJournal()]
  let keep = (): void => {}
  const journal: Journal = {
    ...kept,
    async append(id, events, options) {
      if (events.some(({ type }) => type === 'replied')) await new Promise<void>((resolve) => (keep = resolve))
      await kept.append(id, events, options)
    },
  }
  const run = made().start('Go', { id: 'r', journal })
  await run.settled
  void run.reply('1/tool/0/ask/0', true)
  await idle()

  expect(booked).toEqual([])
  keep()

  await expect.poll(() => booked).toHaveLength(1)
})

it('writes nothing when a run that waits is looked at again and again', async () => {
  const [{ made }, journal] = [booking(), memoryJournal()]
  await made().start('Go', { id: 'r', journal }).settled
  const before = await journal.read('r')

  for (let time = 0; time < 3; time++) {
    const run = await made().resume('r', { journal })
    await idle()
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/0' }] })
  }

  expect(await journal.read('r')).toEqual(before)
})

/** A journal that refuses what `wanted` says, once. */
function refusing(wanted: (types: readonly string[]) => boolean): Required<Journal> {
  const kept = memoryJournal()
  let refused = false
  return {
    ...kept,
    async append(id, events, options) {
      const refuses = !refused && wanted(events.map(({ type }) => type))
      refused ||= refuses
      if (refuses) throw new Error('disk full')
      await kept.append(id, events, options)
    },
  }
}

it('does not doubt a call that could not be written down', async () => {
  let charged = 0
  const charge = tool({ inputSchema, execute: () => ++charged })
  const run = agent({ name: 'a', model: model('charge'), tools: { charge } }).start('Go', {
    journal: refusing((types) => types.includes('claimed')),
  })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(charged).toBe(1)
})

it('asks about the effect of a tool that failed with its log, and then its question again', async () => {
  let isBroken = false
  const kept = memoryJournal()
  const append: Journal['append'] = (id, events, options) => {
    if (isBroken) throw new Error('It cannot be written.')
    return kept.append(id, events, options)
  }
  let tries = 0
  const ask = tool({
    inputSchema,
    async execute(_, context) {
      isBroken = ++tries === 1
      await context.once('tried', () => tries)
      return context.ask(confirm({ prompt: 'Sure?' }))
    },
  })
  const described = agent({ name: 'a', model: model('ask'), tools: { ask } })
  const run = described.start('Go', { journal: { ...kept, append } })
  await expect.poll(() => run.state.signal?.type).toBe('failed')

  isBroken = false
  run.resume()

  // Its effect may have run, although the journal has no result of it.
  await expect.poll(() => run.state.asks[0]?.id).toBe('1/tool/0/interruption')
  await run.reply('1/tool/0/interruption', 'again')
  await expect.poll(() => run.state.asks[0]?.id).toBe('1/tool/0/ask/0')
  await run.reply('1/tool/0/ask/0', true)
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('keeps what was said while the model thinks', async () => {
  const journal = memoryJournal()
  const thinks = scriptedModel(() => never)
  agent({ name: 'a', model: thinks }).start('Go', { id: 'r', journal })
  await expect.poll(() => thinks.calls).toHaveLength(1)
  await idle()

  const run = await agent({ name: 'a', model: scriptedModel('Hi.') }).resume('r', { journal })

  expect(await run.settled).toMatchObject({ output: 'Hi.' })
})

it('does not doubt a call that was done before the next turn', async () => {
  const journal = memoryJournal()
  const charge = tool({ inputSchema, execute: () => 'charged' })
  const thinks = scriptedModel(calls('charge'), () => never)
  agent({ name: 'a', model: thinks, tools: { charge } }).start('Go', { id: 'r', journal })
  await expect.poll(() => thinks.calls).toHaveLength(2)
  await idle()

  const run = await agent({ name: 'a', model: model('charge'), tools: { charge } }).resume('r', { journal })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('continues counting the attempts of a turn', async () => {
  const journal = memoryJournal()
  let asked = 0
  const down = (): never => {
    asked++
    throw new AgentError('model_failed', 'It is down.', { retryable: true })
  }
  const made = () => agent({ name: 'a', model: [scriptedModel(down, down, down, down), scriptedModel('Stood in.')] })
  const host = manualHost()
  const first = made().start('Go', { id: 'r', journal, host })
  await host.advance(1_000)
  expect([asked, first.state.signal]).toEqual([2, undefined])

  const next = manualHost()
  const run = await made().resume('r', { journal, host: next })
  await next.advance(10_000)

  expect(await run.settled).toMatchObject({ output: 'Stood in.' })
  expect(asked).toBe(3)
})

it('stays stopped when the page died before the rest was kept', async () => {
  const kept = memoryJournal()
  const append: Journal['append'] = (id, events, options) =>
    events.some(({ type }) => type === 'settled') ? never : kept.append(id, events, options)
  const first = agent({ name: 'a', model: scriptedModel(() => never) }).start('Go', {
    id: 'r',
    journal: { ...kept, append },
  })
  await idle()
  void first.stop('Enough.')
  await idle()

  const thinks = scriptedModel('Hi.')
  const run: Run = await agent({ name: 'a', model: thinks }).resume('r', { journal: kept })
  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Hi.' })
  expect(thinks.calls[0]?.prompt.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'Go on.' }] })
})

it('counts a call once for its limits, however often it is begun', async () => {
  const [journal, charge] = [memoryJournal(), tool({ inputSchema, effect: 'readOnly', execute: () => never })]
  const made = () => agent({ name: 'a', model: model('charge'), tools: { charge } })
  made().start('Go', { id: 'r', journal })
  await idle()

  await made().resume('r', { journal })
  await idle()
  const run = await made().resume('r', { journal })
  await idle()

  expect(run.state.toolCalls).toBe(1)
})

it('does not count the time in which its page was gone', async () => {
  const [host, journal] = [manualHost(), memoryJournal()]
  const slow = tool({ inputSchema, effect: 'idempotent', execute: () => never })
  const quick = tool({ inputSchema, effect: 'idempotent', execute: () => 'done' })
  const made = (work: typeof slow | typeof quick) =>
    agent({ name: 'a', model: model('work'), tools: { work }, backend: reasonAct({ limits: { ms: 120_000 } }) })
  made(slow).start('Go', { id: 'r', journal, host })
  await idle()
  const later = { ...host, now: () => host.now() + 3_600_000 }

  const run = await made(quick).resume('r', { journal, host: later })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect((await journal.read('r')).filter(({ type }) => type === 'resumed')).toHaveLength(1)
})

it('says that a run without a message has none', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Hello.') }).start('Hi')
  await run.settled

  const begun = await agent({ name: 'a', model: scriptedModel('Hello.') }).resume(savedRun(run.log.slice(0, 1)))

  const message = 'The run of the agent "a" has no message yet. Send one with run.say().'
  expect(await begun.settled).toMatchObject({ type: 'failed', error: { code: 'stalled', message } })
  await begun.say('Hi')
  expect(await begun.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
})

it('refuses a saved log that is not the one of the journal, though it is as long', async () => {
  const journal = memoryJournal()
  const made = () => agent({ name: 'a', model: scriptedModel('Hello.') })
  const first = made().start('Go', { id: 'r', journal })
  await first.settled
  const other = first.log.map((event) => (event.type === 'settled' ? { ...event, at: event.at + 1 } : event))

  await expect(made().resume(savedRun(other), { journal })).rejects.toMatchObject({ code: 'journal_conflict' })
  expect((await made().resume(savedRun(first.log), { journal })).log).toEqual(first.log)
})

it('is not changed by what becomes of the log that was given', async () => {
  const made = () => agent({ name: 'a', model: scriptedModel('Hello.', 'Again.') })
  const first = made().start('Go')
  await first.settled
  const saved = savedRun(first.log)
  await first.say('More')
  await first.settled

  const run = await made().resume(saved)

  expect(run.log).toHaveLength(run.state.seq)
})
