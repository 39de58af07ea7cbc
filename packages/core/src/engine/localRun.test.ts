import { laws } from '@interleave/test-kit/laws'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { EventBody } from '../event.ts'
import { type AnyEvent, isKept } from '../history/index.ts'
import { agent, type Event, type Run, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'

const noted = (run: Run) => run.state.history.flat()
const usersOf = (run: Run) =>
  noted(run).flatMap((entry) => (entry.type === 'said' && entry.by === 'user' ? [String(entry.content)] : []))
const never = () => new Promise<never>(() => {})
const wait = tool({ inputSchema: z.object({}), execute: () => never() })
const noop = tool({ inputSchema: z.object({}), execute: () => 'ok' })
const calls = (name: string) => ({ calls: [{ name, input: {} }] })

it('receives a message that comes while the model speaks, before it settles', async () => {
  const model = scriptedModel(async () => {
    await Promise.resolve()
    await run.say('And in French?')
    return 'Yes.'
  }, 'Oui.')
  const run: Run = agent({ name: 'a', model }).start('Yes in English?', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Oui.' })
  expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

it('receives a message that comes while a tool works, after the result', async () => {
  const talk = tool({ inputSchema: z.object({}), execute: () => run.say('Hurry.').then(() => 'talked') })
  const model = scriptedModel(calls('talk'), 'Done.')
  const run: Run = agent({ name: 'a', model, tools: { talk } }).start('Go', { observers: [laws()] })

  await run.settled

  expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(usersOf(run)).toEqual(['Go', 'Hurry.'])
})

it('receives many messages at once, each once and in order', async () => {
  const model = scriptedModel(calls('noop'), 'Done.', 'Done again.')
  const run = agent({ name: 'a', model, tools: { noop } }).start('0', { observers: [laws()] })

  await Promise.all([1, 2, 3, 4, 5].map((n) => run.say(String(n))))
  await run.settled

  expect(usersOf(run)).toEqual(['0', '1', '2', '3', '4', '5'])
})

it('receives every message exactly once and in order, whenever it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 6 }), async (scheduler, messages) => {
      const later = <T>(value: T): Promise<T> => scheduler.schedule(Promise.resolve(value))
      const turn =
        (number: number): ScriptedTurn =>
        () =>
          later(number < 2 ? calls('slow') : `Answer ${number}`)
      const slow = tool({ inputSchema: z.object({}), execute: () => later('done') })
      const model = scriptedModel(...Array.from({ length: messages + 4 }, (_, number) => turn(number)))
      const run = agent({ name: 'a', model, tools: { slow } }).start('0', { observers: [laws()] })
      const says = Array.from({ length: messages }, (_, n) =>
        scheduler.schedule(Promise.resolve()).then(() => run.say(`${n + 1}`)),
      )
      const order: string[] = []
      run.subscribe((event) => event.type === 'said' && order.push(String(event.content)))

      await scheduler.waitFor(Promise.all(says))
      await scheduler.waitFor(run.settled)

      expect(run.state.pending).toEqual([])
      expect(usersOf(run)).toEqual(['0', ...order])
      expect(order.toSorted()).toEqual(Array.from({ length: messages }, (_, n) => `${n + 1}`))
      const last = model.calls.at(-1)?.prompt.filter(({ role }) => role === 'user')
      expect(last).toHaveLength(messages + 1)
    }),
    { numRuns: 50 },
  )
})

it('begins a new request with a message after a rest', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('1', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'One.' })
  await run.say('2')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(run.state.request.iteration).toBe(1)
})

it('tells a rest again to the one that asks later', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.') }).start('1')

  const [first, second] = await Promise.all([run.settled, run.settled])

  expect(first).toBe(second)
  expect(await run.settled).toEqual(first)
})

it.each([
  ['at once', 0],
  ['while the model thinks', 5],
])('stops %s', async (_, ms) => {
  const run = agent({ name: 'a', model: scriptedModel(never) }).start('1', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, ms))

  await run.stop('Enough.')

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
})

it('stops while a tool works that does not listen', async () => {
  const model = scriptedModel(calls('wait'), 'Fine.')
  const run = agent({ name: 'a', model, tools: { wait } }).start('1', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, 5))

  await run.stop()

  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Stopped.' })
  await run.say('Go on.')
  expect(await run.settled).toMatchObject({ output: 'Fine.' })
})

it('stops twice, and when it settles, without harm', async () => {
  const run = agent({ name: 'a', model: scriptedModel(never) }).start('1')

  await Promise.all([run.stop('first'), run.stop('second')])
  await run.stop('third')

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'first' })
})

it('continues after a stop from the same host', async () => {
  const run = agent({ name: 'a', model: scriptedModel(never, 'Hello.') }).start('1', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, 5))
  await run.stop()

  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
})

it('continues after a failure from the same host', async () => {
  const model = scriptedModel(calls('noop'), new Error('down'), 'Up again.')
  const run = agent({ name: 'a', model, tools: { noop } }).start('1', { observers: [laws()] })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed', message: 'down' } })

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Up again.' })
  expect(model.calls[2]?.prompt).toEqual(model.calls[1]?.prompt)
})

it('does not resume what settles otherwise', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Hello.') }).start('1')
  await run.settled

  expect(() => run.resume()).toThrow('continues with say() or reply()')
})

const backend = (step: Step) =>
  agent({ name: 'a', model: scriptedModel(), backend: step }).start('1', { observers: [laws()] })

it('fails as stalled when a pass does nothing', async () => {
  expect(await backend(() => undefined).settled).toMatchObject({ type: 'failed', error: { code: 'stalled' } })
})

it.each<[string, Step]>([
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('fails when a step %s', async (_, step) => {
  expect(await backend(step).settled).toEqual({
    type: 'failed',
    error: { code: 'step_failed', message: 'broken', retryable: false },
  })
})

it('settles with the answer of a backend that never reads the messages', async () => {
  const answer: Step = () => ({ type: 'answer', output: 42, reason: 'text' })

  expect(await backend(answer).settled).toMatchObject({ output: 42 })
})

it('tells each listener the events in order, the one who talks in between', async () => {
  const model = scriptedModel('One.', 'Two.')
  const run = agent({ name: 'a', model }).start('1')
  const seen: AnyEvent[] = []
  run.subscribe((event) => void (event.type === 'settled' && model.calls.length === 1 && run.say('2')))
  run.subscribe((event) => seen.push(event))
  await run.settled
  await run.settled

  const seqs = seen.filter(isKept).map(({ seq }) => seq)

  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
})

it('takes its time and its ids from the host', async () => {
  const host = manualHost()
  const run = agent({ name: 'a', model: scriptedModel('One.') }).start('1', { host })
  const next = agent({ name: 'a', model: scriptedModel('One.') }).start('1', { host })

  await run.settled

  expect([run.id, next.id]).toEqual(['run-1', 'run-2'])
  expect(run.state.updatedAt).toBe(0)
})

it('continues with a run of another host, in the middle of a turn', async () => {
  const before = agent({ name: 'a', model: scriptedModel(calls('wait')), tools: { wait } }).start('1')
  await new Promise((resolve) => setTimeout(resolve, 5))
  const log = JSON.parse(JSON.stringify(before.log))

  const pure = tool({ ...noop, effect: 'readOnly' })
  const described = agent({ name: 'a', model: scriptedModel('Done.'), tools: { wait: pure } })
  const after = await described.resume(savedRun(log), { observers: [laws(log)] })

  expect(await after.settled).toMatchObject({ output: 'Done.' })
})

it.each([
  ['again', 2, { type: 'text', value: 'ran' }],
  ['done', 1, { type: 'text' }],
  ['skip', 1, { type: 'error-text' }],
])('asks what to do about a call that may have happened: %s', async (answer, times, result) => {
  let ran = 0
  const charge = tool({ inputSchema: z.object({}), execute: () => (++ran === 1 ? never() : 'ran') })
  const before = agent({ name: 'a', model: scriptedModel(calls('charge')), tools: { charge } }).start('1')
  await new Promise((resolve) => setTimeout(resolve, 5))
  const log = JSON.parse(JSON.stringify(before.log))
  const model = scriptedModel('Done.')

  const after = await agent({ name: 'a', model, tools: { charge } }).resume(savedRun(log), {
    observers: [laws(log)],
  })
  expect(await after.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  await after.reply('1/tool/0/interruption', answer)
  await after.settled

  expect(ran).toBe(times)
  expect(model.calls[0]?.prompt.at(-1)).toMatchObject({ role: 'tool', content: [{ output: result }] })
})

it('asks again about a call that was run again and interrupted again', async () => {
  let ran = 0
  const charge = tool({ inputSchema: z.object({}), execute: () => (++ran === 3 ? 'ran' : never()) })
  const described = agent({ name: 'a', model: scriptedModel(calls('charge'), 'Done.'), tools: { charge } })
  const begun = async (run: Run, times: number): Promise<readonly Event[]> => {
    await expect.poll(() => ran).toBe(times)
    return JSON.parse(JSON.stringify(run.log))
  }
  let log = await begun(described.start('1'), 1)

  for (const times of [2, 3]) {
    const run = await described.resume(savedRun(log), { observers: [laws(log)] })
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ about: 'interruption' }] })
    await run.reply(run.state.asks[0]?.id ?? '', 'again')
    log = await begun(run, times)
  }
})

it.each([[''], [[]], [[{ type: 'text', text: '' } as const]]])('refuses to say %j', async (nothing) => {
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go')

  await expect(run.say(nothing)).rejects.toMatchObject({ code: 'options_invalid' })
  await expect(run.say('Hi', null as never)).rejects.toThrow('The options of say() must be an object.')

  expect(await run.settled).toMatchObject({ output: 'Hi.' })
})

it('continues with a run that had its answer elsewhere', async () => {
  const before = agent({ name: 'a', model: scriptedModel('One.') }).start('1')
  await before.settled
  const log = JSON.parse(JSON.stringify(before.log))

  const model = scriptedModel('Two.')
  const after = await agent({ name: 'a', model }).resume(savedRun(log), { observers: [laws(log)] })
  expect(await after.settled).toMatchObject({ output: 'One.' })
  await after.say('2')

  expect(await after.settled).toMatchObject({ output: 'Two.' })
  expect(model.calls[0]?.prompt).toHaveLength(3)
})

it('leaves no call open that an answer came before', async () => {
  const stop: Step = ({ state }) =>
    state.iteration === 1 ? { type: 'answer', output: 'Enough.', reason: 'completed' } : undefined
  const model = scriptedModel(calls('noop'), 'Two.')
  const run = agent({ name: 'a', model, tools: { noop }, backend: reasonAct({ between: [stop] }) }).start('1', {
    observers: [laws()],
  })
  expect(await run.settled).toMatchObject({ output: 'Enough.' })
  await run.say('2')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(noted(run)).toContainEqual(
    expect.objectContaining({
      calls: [
        expect.objectContaining({
          observedAt: expect.any(Number),
          error: expect.objectContaining({ code: 'tool_skipped' }),
        }),
      ],
    }),
  )
})

it('leaves a step alone that does not listen to a stop, and lets nothing through that it does later', async () => {
  const host = manualHost()
  let wake = (): void => {}
  const asleep = new Promise<void>((resolve) => {
    wake = resolve
  })
  const problems: unknown[] = []
  const backend: Step = async (context) => {
    await asleep
    const late = { type: 'said', by: 'agent', content: 'Late.' } as const
    for (const write of [() => context.emit(late), () => context.once('k', () => 1)]) {
      await Promise.resolve()
        .then(write)
        .catch((error) => problems.push(error.code))
    }
    return { type: 'answer', output: 'Late.', reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { host, observers: [laws()] })
  const stopped = run.stop('Enough.')

  await host.advance(4_999)
  expect(run.state.signal).toBeUndefined()
  await host.advance(1)
  await stopped
  wake()
  await host.advance(1)

  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(problems).toEqual(['stopped', 'stopped'])
  // Started, said, settled.
  expect(run.state.seq).toBe(3)
})

it('works on after it was left alone', async () => {
  const host = manualHost()
  let passes = 0
  const backend: Step = async () => {
    if (++passes === 1) await new Promise(() => {})
    return { type: 'answer', output: 'Done.', reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { host })
  const stopped = run.stop()
  await host.advance(5_000)
  await stopped

  await run.say('Again')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(host.timers).toBe(0)
})

it('says that a step made another one, and did not call it', async () => {
  const backend = (() => reasonAct()) as unknown as Step

  expect(await agent({ name: 'a', model: scriptedModel('Hi.'), backend }).start('Go').settled).toMatchObject({
    error: { code: 'state_invalid', message: expect.stringContaining('Call that step') },
  })
})

it.each([[() => 'done'], [() => 7]])('says that a step gave no signal: %s', async (step) => {
  const backend = reasonAct({ before: [step as never] })

  expect(await agent({ name: 'a', model: scriptedModel('Hi.'), backend }).start('Go').settled).toMatchObject({
    error: { code: 'state_invalid' },
  })
})

it.each([{}, Promise.resolve('Hi'), [null]])('says that a step said %j, also without a journal', async (content) => {
  const backend: Step = (run) => void run.emit({ type: 'said', by: 'agent', content: content as never })

  expect(await agent({ name: 'a', model: scriptedModel(), backend }).start('Go').settled).toMatchObject({
    error: { code: 'state_invalid', message: expect.stringContaining('"content"') },
  })
})

it('fails with a signal that could not be read again', async () => {
  const backend = (() => ({ type: 'answered', output: 'Hi.' })) as unknown as Step
  const journal = memoryJournal()
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { id: 'r', journal })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'state_invalid' } })
  expect(
    (await agent({ name: 'a', model: scriptedModel(), backend }).resume('r', { journal })).state.signal,
  ).toBeDefined()
})

const answering =
  (output: unknown): Step =>
  () => ({ type: 'answer', output, reason: 'completed' })

it.each<[string, () => unknown, unknown]>([
  ['a date', () => ({ at: new Date(0) }), { at: '1970-01-01T00:00:00.000Z' }],
  ['a large number', () => ({ cents: 10n }), { cents: '10' }],
  ['an instance', () => new URL('https://example.org/'), 'https://example.org/'],
])('answers with what the log has, now and after a reload: %s', async (_, make, output) => {
  const journal = memoryJournal()
  const described = agent({ name: 'a', model: scriptedModel(), backend: answering(make()) })
  const run = described.start('Go', { id: 'r', journal })

  expect(await run.settled).toEqual({ type: 'answer', output, reason: 'completed' })
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})

it('keeps the answer apart from the object that a step gave, which the step may change', async () => {
  const output = { total: 1 }
  const run = agent({ name: 'a', model: scriptedModel(), backend: answering(output) }).start('Go')
  await run.settled

  output.total = 2

  expect(run.state.signal).toMatchObject({ output: { total: 1 } })
})

it('fails, and stays readable, if an answer refers to itself', async () => {
  const journal = memoryJournal()
  const circle: { self?: unknown } = {}
  circle.self = circle
  const described = agent({ name: 'a', model: scriptedModel(), backend: answering(circle) })
  const run = described.start('Go', { id: 'r', journal })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'json_invalid' } })
  expect((await described.resume('r', { journal })).state.signal).toEqual(run.state.signal)
})

it.each<[string, EventBody]>([
  ['a message that is no text', { type: 'said', by: 'agent', content: 5 as never }],
  ['a correction without a reason', { type: 'amended', target: 1, content: '', reason: undefined as never }],
  ['an event of no kind', { type: 'whatever' } as never],
])('fails before the log has what it could not be read with again: %s', async (_, event) => {
  const journal = memoryJournal()
  const emits: Step = (run) => {
    run.emit(event)
    return { type: 'answer', output: 'Done.', reason: 'completed' }
  }
  const described = agent({ name: 'a', model: scriptedModel(), backend: emits })
  const run = described.start('Go', { id: 'r', journal })

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'state_invalid', message: expect.stringContaining(event.type) },
  })
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})

it.each<[string, (run: Run) => Promise<void>]>([
  ['an event of a button', (run) => run.stop({ type: 'click', target: () => {} } as never)],
  ['null', (run) => run.stop(null as never)],
])('stops without a reason if it is given %s, and stays readable', async (_, stop) => {
  const journal = memoryJournal()
  const model = scriptedModel(() => never())
  const described = agent({ name: 'a', model })
  const run = described.start('Go', { id: 'r', journal })

  await stop(run)

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Stopped.' })
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})

it.each([5, null, {}])('refuses the key %j of a message, and stays readable', async (key) => {
  const journal = memoryJournal()
  const described = agent({ name: 'a', model: scriptedModel('Done.') })
  const refused = expect.objectContaining({ code: 'options_invalid', message: expect.stringContaining('`key`') })
  expect(() => described.start('Go', { id: 'r', journal, key: key as never })).toThrow(refused)
  const run = described.start('Go', { id: 'r', journal })
  await run.settled

  await expect(run.say('And?', { key: key as never })).rejects.toEqual(refused)
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})
