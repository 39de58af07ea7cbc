import { manualHost, scriptedModel } from '@interleave/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { fold } from '../changes/all.ts'
import { END, graph, inOwnRun } from '../graph/index.ts'
import { pastRun, recorder } from '../history/index.ts'
import { type Agent, AgentError, agent, type Event, type Run, tool } from '../index.ts'
import type { Call } from '../state.ts'
import { exportRun, fork, importRun, type Journal, memoryJournal, type RunFile, recoverRun, savedRun } from './index.ts'
import { checkWholeFile, runFile } from './runFile.ts'

/** Creates the parent of an agent that pays twice. With `ends: false`, the second payment never ends. */
function payer({ ends = true } = {}) {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => {
      paid.push(n)
      return n === 1 || ends ? 'paid' : new Promise<string>(() => {})
    },
  })
  const turns = (...lines: readonly { calls: { name: string; input: object }[] }[]) =>
    scriptedModel(
      ...Array.from({ length: 9 }, () => ({ prompt }: { prompt: readonly { role: string }[] }) => {
        return lines[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Done.'
      }),
    )
  const call = (name: string, input: object) => ({ calls: [{ name, input }] })
  const clerk = agent({
    name: 'clerk',
    model: turns(call('pay', { n: 1 }), call('pay', { n: 2 })),
    tools: { pay },
  })
  const tools = { clerk: agentTool(clerk, { description: 'Pays.' }) }
  return {
    paid,
    clerk,
    journal: memoryJournal(),
    agent: agent({ name: 'chief', model: turns(call('clerk', { task: 'Pay.' })), tools }),
  }
}

/** A run whose child has paid once, some time after the last event of the run, and is paying again. */
async function interrupted(journal?: Journal, over?: (clerk: Agent) => Agent) {
  let time = 0
  const host = { ...manualHost(), now: () => ++time }
  const { agent: chief, clerk, paid } = payer({ ends: false })
  const log = recorder()
  const run = (over?.(clerk) ?? chief).start('Go', {
    id: 'r',
    host,
    observers: [log],
    ...(journal && { journal }),
  })
  await expect.poll(() => paid).toEqual([1, 2])
  return { run, log }
}

const asFile = (file: RunFile): RunFile => JSON.parse(JSON.stringify(file))

async function imported(file: RunFile, { agent: chief }: ReturnType<typeof payer>): Promise<Run> {
  const journal = memoryJournal()
  await importRun(file, { journal })
  return chief.resume(await importRun(file, { journal }), { journal })
}

type Way = (who: ReturnType<typeof payer>) => Promise<Run>
const ways: Record<string, Way> = {
  'a file of a run without a journal, imported': async (who) =>
    imported(asFile(await exportRun((await interrupted()).run)), who),
  'a file of a run without a journal, forked': async (who) =>
    fork(who.agent, asFile(await exportRun((await interrupted()).run))),
  'what was recorded of a run without a journal': async (who) =>
    imported(asFile((await interrupted()).log.export()), who),
  'a run without a journal, forked': async (who) => fork(who.agent, (await interrupted()).run),
  'a run with a journal, forked': async (who) => {
    const journal = memoryJournal()
    return fork(who.agent, (await interrupted(journal)).run, { journal })
  },
  'a run with a journal that is not named, forked': async (who) =>
    fork(who.agent, (await interrupted(memoryJournal())).run),
  'a file of a run with a journal that is not named, imported': async (who) =>
    imported(asFile(await exportRun((await interrupted(memoryJournal())).run)), who),
  'a run of a journal, forked': async (who) => {
    const journal = memoryJournal()
    return fork(who.agent, (await interrupted(journal)).run.id, { journal })
  },
  'a file of a run of a journal, forked': async (who) => {
    const journal = memoryJournal()
    await interrupted(journal)
    return fork(who.agent, asFile(await exportRun(journal, 'r')))
  },
}

it.each(Object.entries(ways))('I5: what a child did stays done: %s', async (_, continued) => {
  const who = payer()

  const run = await continued(who)
  const first = await run.settled
  if (first.type === 'stopped') run.resume()

  expect(await run.settled).toMatchObject({
    type: 'inputNeeded',
    asks: [{ prompt: expect.stringContaining('pay was interrupted') }],
  })
  expect(who.paid).toEqual([])
  await run.reply(run.state.asks[0]?.id ?? '', 'done')
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(who.paid).toEqual([])
})

type Copy = (agent: Agent, run: Run, journal: Journal) => Promise<Run>

/** Imports a file into a new journal under a new id. */
const importInto: (agent: Agent, file: RunFile, journal: Journal) => Promise<Run> = async (agent, file, journal) =>
  agent.resume(await importRun(asFile(file), { journal }), { journal })

const copies: Record<string, Copy> = {
  'exported and imported': async (agent, run, journal) => importInto(agent, await exportRun(run), journal),
  'exported by its id and imported': async (agent, run, journal) =>
    importInto(agent, await exportRun(journal, run.id), journal),
  'forked by its id': async (agent, run, journal) => fork(agent, run.id, { journal }),
  'forked as a run': async (agent, run, journal) => fork(agent, run, { journal }),
  'forked as a file': async (agent, run, journal) => fork(agent, asFile(await exportRun(run)), { journal }),
}
const { 'exported by its id and imported': _, 'forked by its id': __, ...firstCopies } = copies

describe.each(Object.entries(firstCopies))('a run without a journal whose child has begun, %s', (_, copied) => {
  it.each(Object.entries(copies))(
    'can be copied again and again, also when it has its answer: %s',
    async (_, again) => {
      const { agent: chief, paid, journal } = payer()
      const first = await copied(chief, (await interrupted()).run, journal)
      const run = await again(chief, await again(chief, first, journal), journal)
      if ((await run.settled).type === 'stopped') run.resume()
      expect(await run.settled).toMatchObject({
        type: 'inputNeeded',
        asks: [{ prompt: expect.stringContaining('pay was interrupted') }],
      })

      await run.reply(run.state.asks[0]?.id ?? '', 'done')
      await run.settled
      const finished = await again(chief, await again(chief, run, journal), journal)

      expect(await finished.settled).toMatchObject({ type: 'answer', output: 'Done.' })
      expect(paid).toEqual([])
    },
  )
})

it('keeps one note of a child whose log was moved out of the notes', async () => {
  const { log } = (await interrupted()).run

  const state = fold(checkWholeFile(runFile([...log])).events)

  const keys = ({ notes = {} }: Pick<Call, 'notes'>) => Object.keys(notes).filter((key) => key.includes('>log/'))
  const calls = state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  expect(log.filter(({ type }) => type === 'noted').length).toBeGreaterThan(2)
  expect(calls.flatMap(keys)).toEqual(['r/1/tool/0>log/0'])
})

const alone: Record<string, Way> = {
  'what was recorded of a run with a journal, imported': async (who) =>
    imported(asFile((await interrupted(memoryJournal())).log.export()), who),
  'what was recorded of a run with a journal, forked': async (who) =>
    fork(who.agent, asFile((await interrupted(memoryJournal())).log.export())),
  'a file without the logs of its children': async (who) => {
    const { below: _, ...file } = asFile(await exportRun((await interrupted(memoryJournal())).run))
    return imported(file, who)
  },
  'a file of an imported run, without the logs of its children': async (who) => {
    const first = await imported(asFile(await exportRun((await interrupted()).run)), who)
    const { below: _, ...file } = asFile(await exportRun(first))
    return imported(file, who)
  },
  'the log of a run with a journal, resumed without it': async (who) =>
    who.agent.resume(savedRun(asJson((await interrupted(memoryJournal())).run.log))),
  'a run that is shown, forked': async (who) => fork(who.agent, pastRun((await interrupted(memoryJournal())).run.log)),
  'a fork of such a fork': async (who) => {
    const journal = memoryJournal()
    const forked = await fork(who.agent, pastRun((await interrupted(memoryJournal())).run.log), { journal })
    await forked.settled
    return fork(who.agent, forked.id, { journal })
  },
  'a run of a graph': async (who) => {
    const { run } = await interrupted(memoryJournal(), graphOf)
    await importRun(asFile(runFile([...run.log])), { journal: who.journal })
    return graphOf(who.clerk).resume('r', { journal: who.journal })
  },
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const graphOf = (clerk: Agent): Agent =>
  agent({
    name: 'chief',
    backend: graph({
      name: 'g',
      nodes: { pay: inOwnRun(clerk, { input: 'Pay.' }) },
      edges: { pay: END },
      start: 'pay',
    }),
  })

describe.each(Object.entries(alone))('I5: a child whose log did not come along: %s', (_, continued) => {
  async function asked(): Promise<{ run: Run; id: string; paid: readonly number[] }> {
    const who = payer()
    const run = await continued(who)
    const first = await run.settled
    if (first.type === 'stopped') run.resume()
    const signal = await run.settled
    expect(signal).toMatchObject({
      type: 'inputNeeded',
      asks: [{ prompt: expect.stringContaining('clerk was interrupted and may already have run') }],
    })
    expect(who.paid).toEqual([])
    return { run, id: run.state.asks[0]?.id ?? '', paid: who.paid }
  }

  it('begins again if the user says so', async () => {
    const { run, id, paid } = await asked()

    await run.reply(id, 'again')

    expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
    expect(paid).toEqual([1, 2])
  })

  it('does nothing if the run is stopped, and asks again', async () => {
    const { run, paid } = await asked()

    await run.stop()
    run.resume()

    expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    expect(paid).toEqual([])
  })
})

it.each(['done', 'skip'])('I5: a child whose log did not come along is not run: %s', async (reply) => {
  const who = payer()
  const run = await imported(asFile((await interrupted(memoryJournal())).log.export()), who)
  run.resume()
  await run.settled

  await run.reply(run.state.asks[0]?.id ?? '', reply)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(who.paid).toEqual([])
})

it('asks nothing about children that begin after an import', async () => {
  const { agent: chief, paid } = payer()
  const journal = memoryJournal()
  const fails = Object.assign(() => Promise.reject(new Error('Away.')), { ownModel: true })
  const begun = agent({ name: 'chief', backend: fails }).start('Hi', { id: 'r' })
  await begun.settled
  const run = await chief.resume(await importRun(asFile(await exportRun(begun)), { journal }), { journal })

  await run.say('Pay.')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paid).toEqual([1, 2])
})

it('copies a run whose tool has kept an empty list under a key like that of a log', async () => {
  const look = tool({ inputSchema: z.object({}), execute: (_, { once }) => once('a>log/0', () => []) })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go', { id: 'r' })
  await run.settled

  const file = asFile(await exportRun(run))

  expect(await importRun(file, { journal: memoryJournal() })).toBe('r')
})

it('refuses a saved run with a journal that does not have it, before a child begins again', async () => {
  const { run } = await interrupted()
  const who = payer()

  const resumed = who.agent.resume(savedRun(JSON.parse(JSON.stringify(run.log))), { journal: memoryJournal() })

  await expect(resumed).rejects.toMatchObject({ code: 'journal_conflict' })
  expect(who.paid).toEqual([])
})

it('does not export a run whose children cannot be read', async () => {
  const journal = memoryJournal()
  const { run } = await interrupted({ ...journal, list: () => Promise.reject(new Error('Away.')) })

  await expect(exportRun(run)).rejects.toMatchObject({
    code: 'journal_failed',
    message:
      'The logs of the child runs of "r" could not be read: Away. Export the run again once its journal can be read.',
  })
})

it('exports a run without children whose journal cannot be read', async () => {
  const journal = { ...memoryJournal(), list: () => Promise.reject(new Error('Away.')) }
  const run = agent({ name: 'a', model: scriptedModel('Hello.') }).start('Hi', { journal })
  await run.settled

  expect((await exportRun(run)).events).toEqual(run.log)
})

/** A run whose child has paid once, and whose clock goes back with every look at it. */
async function goneBack(who: ReturnType<typeof payer>): Promise<Run> {
  let time = 1e12
  const host = { ...manualHost(), now: () => time-- }
  const run = who.agent.start('Go', { id: 'r', host, journal: who.journal })
  await run.settled
  return run
}

it('I5: forks a run whose clock went back, at any event, and does nothing again that a child did before it', async () => {
  const who = payer()
  const { log } = await goneBack(who)
  const observed = log.find(({ type }) => type === 'observed')?.seq ?? 0
  const begun = log.find(({ type }) => type === 'claimed')?.seq ?? 0
  expect(who.paid).toEqual([1, 2])

  for (let at = 1; at <= observed; at++) {
    const { agent: chief, paid } = payer()
    const forked = await fork(chief, 'r', { at, id: `f${at}`, journal: who.journal })
    expect(await forked.settled).toMatchObject({ type: 'answer', output: 'Done.' })
    expect(paid).toEqual(at < begun ? [1, 2] : [])
  }
})

it('recovers the children of a damaged run whose clock went back', async () => {
  const who = payer()
  const { log } = await goneBack(who)
  const observed = log.find(({ type }) => type === 'observed')?.seq ?? 0
  const read = async (id: string, from?: number) =>
    (await who.journal.read(id, from)).filter(({ seq }) => id !== 'r' || seq < observed - 1 || seq > observed)

  const { file } = await recoverRun({ ...who.journal, read }, 'r')

  expect(file?.below).toEqual([await who.journal.read('r/1/tool/0')])
})

it('is no conflict of the run if another owner continues its child run', async () => {
  const journal = memoryJournal()
  const { run } = await interrupted(journal)
  const clerk = 'r/1/tool/0'
  const log = await journal.read(clerk)
  const { agent: chief } = payer()
  await journal.claim?.(clerk, log.length)
  await journal.append(clerk, [{ type: 'resumed', seq: log.length, at: 1, iteration: 2 }])

  const again = await chief.resume('r', {
    journal: { ...journal, claim: undefined, append: refusing(journal, clerk) } as never,
  })
  const signal = await again.settled

  expect(run.state.signal).toBeUndefined()
  expect(signal).toMatchObject({ type: 'failed', error: { code: 'journal_failed', retryable: true } })
})

/** Another owner has the run with this id. */
const refusing =
  (journal: Journal, of: string): Journal['append'] =>
  (runId, ...more) => {
    if (runId === of) throw new AgentError('journal_conflict', 'Another owner took over this run.')
    return journal.append(runId, ...more)
  }

it.each([
  ['is of a later format', (event: Event): object => (event.type === 'started' ? { ...event, format: 99 } : event)],
  ['is of another agent', (event: Event): object => (event.type === 'started' ? { ...event, agent: 'cook' } : event)],
  ['has an event too few', (event: Event): object => (event.seq > 2 ? { ...event, seq: event.seq + 1 } : event)],
])('asks about a child run that was at work and whose log %s', async (_, harm) => {
  const journal = memoryJournal()
  await interrupted(journal)
  const { agent: chief, paid } = payer()
  const read: Journal['read'] = async (runId, from) => {
    const log = await journal.read(runId, from)
    return runId === 'r' ? log : (log.map(harm) as Event[])
  }

  const run = await chief.resume('r', { journal: { ...journal, identity: undefined, read } as never })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ about: 'interruption' }] })
  await run.reply(run.state.asks[0]?.id ?? '', 'done')
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(paid).toEqual([])
})

it.each([
  ['skip', { error: { code: 'tool_skipped' } }],
  ['done', { result: { type: 'text' } }],
])('keeps to what a user said of a child run that could not be read: %s', async (value, outcome) => {
  const journal = memoryJournal()
  await interrupted(journal)
  const { agent: chief, paid } = payer()
  const read: Journal['read'] = async (runId, from) => {
    const log = await journal.read(runId, from)
    return runId === 'r' ? log : (log.map((event) => (event.seq > 0 ? event : { ...event, agent: 'cook' })) as Event[])
  }
  const asking = await chief.resume('r', { journal: { ...journal, identity: undefined, read } as never })
  await asking.settled
  const log = await journal.read('r')
  const { at, iteration, seq } = log.at(-1) as Event
  const ask = asking.state.asks[0]?.id ?? ''
  await journal.append('r', [{ type: 'replied', ask, value, seq: seq + 1, at, iteration }])

  const run = await chief.resume('r', { journal: { ...journal, identity: undefined } as never })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))).toMatchObject([
    outcome,
  ])
  expect(paid).toEqual([])
})
