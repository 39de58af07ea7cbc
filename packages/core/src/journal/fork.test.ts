import { acrossTabs } from '@interleave/connect/tabs'
import { answered, sampleRuns } from '@interleave/test-kit/sampleRuns'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Event } from '../event.ts'
import type { EventOf } from '../history/index.ts'
import { agent, confirm, type Run, type Step, text, tool } from '../index.ts'
import { runChild } from '../steps/index.ts'
import { exportRun, type ForkEdit, fork, type Journal, memoryJournal, type RunFile } from './index.ts'

const inputSchema = z.object({})

/** Creates an agent that reads, asks, and repeats the reply; and counts its reads. */
function described() {
  const looks: string[] = []
  const tools = {
    look: tool({
      inputSchema,
      effect: 'idempotent',
      execute: (_, { once, idempotencyKey }) => once('seen', () => `look ${looks.push(idempotencyKey)}`),
    }),
    ask: tool({ inputSchema, execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) }),
  }
  const lines = [{ calls: [{ name: 'look', input: {} }] }, { calls: [{ name: 'ask', input: {} }] }]
  const model = scriptedModel(
    ...Array.from({ length: 20 }, () => ({ prompt }: { prompt: readonly { role: string }[] }) => {
      const turns = prompt.filter(({ role }) => role === 'assistant').length
      return lines[turns] ?? JSON.stringify(prompt)
    }),
  )
  return { looks, agent: agent({ name: 'a', model, tools }) }
}

async function whole(): Promise<RunFile> {
  const journal = memoryJournal()
  const run = described().agent.start('To Bern', { id: 'r', journal })
  await answered(run)
  return JSON.parse(JSON.stringify(await exportRun(journal, 'r')))
}
/** Returns a journal that has the run itself, and not its forks elsewhere. */
async function journalOf({ runId, events, below = [] }: RunFile): Promise<Required<Journal>> {
  const journal = memoryJournal()
  for (const log of below) journal.append((log[0] as EventOf<'started'>).runId, log)
  journal.append(runId, events)
  return journal
}

const seqOf = ({ events }: RunFile, type: Event['type'], nth = 0): number =>
  events.filter((event) => event.type === type)[nth]?.seq ?? -1

it.each<[Event['type'], number, ForkEdit, string]>([
  ['said', 0, { content: 'To Munich' }, 'To Munich'],
  ['observed', 0, { output: { seen: 'rain' } }, 'rain'],
  ['replied', 0, { value: false }, '"value":false'],
])('continues in a new run with another %s', async (type, nth, edit, told) => {
  const file = await whole()
  const journal = await journalOf(file)

  const run = await fork(described().agent, 'r', { at: seqOf(file, type, nth), edit, journal })
  await answered(run)

  const { output } = (await run.settled) as { output: string }
  expect(output).toContain(told)
  expect(JSON.stringify(file.events.at(-1))).not.toContain(told)
  expect((await journal.read(run.id))[0]).toMatchObject({
    runId: run.id,
    forkedFrom: { runId: 'r', seq: seqOf(file, type, nth) },
  })
})

it('keeps what was noted before the position', async () => {
  const file = await whole()
  const { looks, agent: a } = described()

  const run = await fork(a, 'r', { at: seqOf(file, 'noted'), id: 'f', journal: await journalOf(file) })
  await answered(run)

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(looks).toEqual([])
})

it('continues with the child runs where they were at the position', async () => {
  const sample = (await sampleRuns()).find(({ name }) => name === 'below')
  if (!sample) throw new Error('There is no such sample.')
  const { id, journal } = sample
  const file = await exportRun(journal, id)
  const effects: string[] = []

  const run = await fork(
    sample.describe((what) => effects.push(what)),
    id,
    { at: seqOf(file, 'settled', 2), journal, id: 'f' },
  )
  await answered(run)

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(effects.filter((effect) => effect === 'look')).toEqual([])
  expect((await journal.read('f/1/tool/0')).at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer' } })
})

it('asks again what was open at the position', async () => {
  const file = await whole()

  const run = await fork(described().agent, 'r', { at: seqOf(file, 'asked'), journal: await journalOf(file) })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'Sure?' }] })
})

/** An agent whose tool pays after a reply; at its first start, it stays at work then. */
function payer() {
  const paid: string[] = []
  const pay = tool({
    inputSchema,
    effect: 'atMostOnce',
    execute: async (_, { ask, runId }) => {
      await ask(confirm({ prompt: 'Sure?' }))
      paid.push(runId)
      return paid.length > 1 ? 'paid' : new Promise<string>(() => {})
    },
  })
  const [first, last] = [{ calls: [{ name: 'pay', input: {} }] }, 'Done.']
  const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? last : first))
  return { paid, payer: () => agent({ name: 'a', model: model(), tools: { pay } }) }
}

/** A run whose tool has acted on the reply that its log ends with. */
async function payingRun() {
  const journal = memoryJournal()
  const { paid, payer: made } = payer()
  const run = made().start('Pay', { id: 'r', journal })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', true)
  await expect.poll(() => paid).toEqual(['r'])
  expect(run.log.at(-1)).toMatchObject({ type: 'replied', awaited: true })
  return { run, journal, paid, payer: made }
}

it.each<[string, (paying: Awaited<ReturnType<typeof payingRun>>) => Promise<Run>]>([
  ['its id', ({ payer: made, journal }) => fork(made(), 'r', { journal })],
  ['its object', ({ payer: made, run }) => fork(made(), run)],
  ['its object in another journal', ({ payer: made, run }) => fork(made(), run, { journal: memoryJournal() })],
  ['a fork of it', async ({ payer: made, journal }) => fork(made(), await fork(made(), 'r', { journal }), { journal })],
])('asks whether a tool that acts on the last reply runs again, in a fork by %s', async (_, forking) => {
  const paying = await payingRun()

  const run = await forking(paying)

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  expect(paying.paid).toEqual(['r'])
  await run.reply('1/tool/0/interruption', 'done')
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paying.paid).toEqual(['r'])
})

it('gives a tool the reply that is named as the position, since it has not acted on it there', async () => {
  const { journal, paid, payer: made, run } = await payingRun()

  const forked = await fork(made(), 'r', { at: run.log.length - 1, journal })

  expect(await forked.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(paid).toEqual(['r', forked.id])
})

it.each<[string, (file: RunFile) => object, string]>([
  ['a place that is not there', () => ({ at: 99 }), 'options_invalid'],
  ['an edit of another event', (file) => ({ at: seqOf(file, 'thought'), edit: { content: 'x' } }), 'options_invalid'],
  ['an empty message', (file) => ({ at: seqOf(file, 'said'), edit: { content: '' } }), 'options_invalid'],
  [
    'a result that is no JSON',
    (file) => ({ at: seqOf(file, 'observed'), edit: { output: new Map() } }),
    'json_invalid',
  ],
  ['a reply that does not fit', (file) => ({ at: seqOf(file, 'replied'), edit: { value: 'x' } }), 'reply_invalid'],
])('refuses %s', async (_, options, code) => {
  const [file, journal] = [await whole(), memoryJournal()]

  const forked = fork(described().agent, file, { at: 0, journal, ...options(file) })

  await expect(forked).rejects.toMatchObject({ code })
  expect(await journal.list()).toEqual([])
})

it('refuses an id that is taken', async () => {
  const [file, journal] = [await whole(), memoryJournal()]
  await fork(described().agent, file, { at: 1, journal, id: 'f' })

  await expect(fork(described().agent, file, { at: 1, journal, id: 'f' })).rejects.toThrow(/a run of that id/)
})

it('continues from every position of every run', async () => {
  let forks = 0
  for (const { id, journal, describe } of await sampleRuns()) {
    const file = await exportRun(journal, id)
    for (const { seq } of file.events.slice(1)) {
      const run = await fork(
        describe(() => {}),
        id,
        { at: seq, journal },
      )
      await run.settled
      forks++
      expect(run.state.signal, `${id} from ${seq}`).not.toMatchObject({ error: { code: 'step_failed' } })
      expect(run.state.runId).not.toBe(id)
    }
  }
  expect(forks).toBeGreaterThan(100)
})

it('continues by a handle, wherever that has its runs', async () => {
  const { agent: guide } = described()
  const journal = memoryJournal()
  const handle = acrossTabs(guide, { journal })
  const file = await whole()

  const run = await fork(handle, file, { at: 1, edit: { content: 'To Rome' }, journal })
  await answered(run)

  expect(await handle.resume(run.id)).toBe(run)
  expect(await journal.read(run.id)).toMatchObject([
    { forkedFrom: { runId: 'r' } },
    ...Array(run.state.seq - 1).fill({}),
  ])
  await expect(fork(handle, file)).rejects.toThrow('needs the journal of the handle')
})

it('leaves nothing behind of a fork by another agent', async () => {
  const [file, journal] = [await whole(), memoryJournal()]
  const other = agent({ name: 'other', model: scriptedModel() })

  await expect(fork(other, file, { journal })).rejects.toMatchObject({ code: 'agent_mismatch' })

  expect(journal.list()).toEqual([])
})

it('takes no other id where another run comes to have its own meanwhile', async () => {
  const file = await whole()
  const kept = memoryJournal()
  let looks = 0
  const read = (id: string, from?: number) => {
    const events = kept.read(id, from)
    // Another client starts it right after the first look.
    if (id === 'f' && looks++ === 0) kept.append('f', [{ ...file.events[0], runId: 'f' } as Event])
    return events
  }

  const forking = fork(described().agent, file, { id: 'f', at: 1, journal: { ...kept, read } })

  await expect(forking).rejects.toThrow('the journal has a run of that id')
  expect((await kept.list()).map(({ runId }) => runId)).toEqual(['f'])
})

const gone = () => Promise.reject(new Error('Gone.'))

it.each<[string, (journal: Journal) => Partial<Journal>]>([
  ['list()', () => ({ list: gone })],
  ['read() of the new run', ({ read }) => ({ read: (id, from) => (id === 'r' ? read(id, from) : gone()) })],
])('says that the journal could not be read, where its %s fails', async (_, broken) => {
  const journal = memoryJournal()
  const talker = agent({ name: 'a', model: scriptedModel('Hello.') })
  await talker.start('Hi', { id: 'r', journal }).settled

  const forked = fork(talker, 'r', { journal: { ...journal, ...broken(journal) } })

  await expect(forked).rejects.toMatchObject({ code: 'journal_failed', retryable: true })
})

it.each(['atMostOnce', 'idempotent', 'readOnly'] as const)(
  'gives a tool the edited reply in a fork of a file, and repeats nothing that it did (%s)',
  async (effect) => {
    const done: string[] = []
    const book = tool({
      inputSchema: z.object({}),
      effect,
      execute: async (_, { ask, once }) => {
        await once('hold', () => done.push('held'))
        const city = await ask(text({ prompt: 'Where?' }))
        done.push(city)
        return city
      },
    })
    const make = () =>
      agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Booked.'), tools: { book } })
    const run = make().start('Go', { journal: memoryJournal() })
    await run.settled
    await run.reply(run.state.asks[0]?.id ?? '', 'Rome')
    await run.settled
    const file = await exportRun(run)
    const again = agent({ name: 'a', model: scriptedModel('Booked again.'), tools: { book } })

    const forked = await fork(again, file, { at: seqOf(file, 'replied'), edit: { value: 'Oslo' } })

    expect(await forked.settled).toMatchObject({ type: 'answer', output: 'Booked again.' })
    expect(done).toEqual(['held', 'Rome', 'Oslo'])
  },
)

it('leaves a child its message, without which it could do nothing', async () => {
  const child = agent({ name: 'child', model: scriptedModel(() => 'Found.') })
  const backend: Step = (run) => runChild(run, { key: 'find', agent: child, input: 'Find it' })
  const parent = agent({ name: 'a', model: scriptedModel(), backend })
  const journal = memoryJournal()
  await parent.start('Go', { id: 'r', journal }).settled
  const { below = [], ...file } = await exportRun(journal, 'r')
  const claim = file.events.find((event) => event.type === 'noted')
  // The clock moved on between its first two events.
  const logs = below.map((log) => log.map((event) => ({ ...event, at: (claim?.at ?? 0) + Math.min(event.seq, 1) })))

  const run = await fork(parent, { ...file, below: logs }, { at: claim?.seq ?? 0 })
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Found.' })
})
