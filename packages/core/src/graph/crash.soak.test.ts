import { laws } from '@interleave/test-kit/laws'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, type Ask, agent, confirm, type Event, type Step, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'
import { END, graph, parallel, router, untilAnswer, value, wait } from './index.ts'

/** A model that decides by what it reads, so that it says the same again after a crash. */
const reading = (decide: (latest: string) => ScriptedTurn) =>
  scriptedModel(
    ...Array.from(
      { length: 50 },
      (): ScriptedTurn =>
        ({ prompt }) =>
          decide(JSON.stringify(prompt.at(-1))),
    ),
  )

/** A graph with everything: agents, tools, questions, values, branches with a loop in one, a nested graph and a wait. */
function describeAll(): Agent<string> {
  const [rounds, drafts, score] = [value('rounds', 0), value<readonly string[]>('drafts', []), value('score', 0)]
  const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'seen' })
  const writer = agent({
    name: 'writer',
    model: reading((latest) => (latest.includes('seen') ? 'A draft.' : { calls: [{ name: 'look', input: {} }] })),
    tools: { look },
  })
  const keep: Step = (run) => drafts.set(run, [...drafts.get(run), `draft ${drafts.get(run).length + 1}`])
  const check = graph({
    name: 'check',
    nodes: { spell: (run) => score.set(run, score.get(run) + 1), wait: wait(10) },
    start: 'spell',
    edges: { spell: 'wait', wait: router(['spell', END], (run) => (score.get(run) % 2 === 1 ? 'spell' : END)) },
  })
  const sure: Step = async (run) => {
    await run.once('paid', () => 'paid')
    await run.ask('sure', confirm({ prompt: 'Sure?' }))
    return undefined
  }
  const flow = graph({
    name: 'flow',
    nodes: {
      write: untilAnswer(writer, { say: 'Write.' }),
      work: parallel({ keep, check, sure }),
      join: (run) => rounds.set(run, rounds.get(run) + 1),
      done: (run) => ({ type: 'answer', output: drafts.get(run).join(', '), reason: 'completed' }),
    },
    start: 'write',
    edges: {
      write: 'work',
      work: 'join',
      join: router(['write', 'done'], (run) => (rounds.get(run) < 2 ? 'write' : 'done')),
      done: END,
    },
  })
  return agent({ name: 'a', model: scriptedModel(), backend: flow })
}

/** Returns the work of all visits, in the order of each walk: branches are concurrent, so they have no order. */
function visitsOf(events: readonly Event[]): Record<string, string[]> {
  const visits: Record<string, string[]> = {}
  for (const event of events) {
    if (event.type !== 'noted' || !event.key.startsWith('graph/')) continue
    // The end of a branch has no node.
    const { node, visit } = event.value as { node?: string; visit?: number }
    visits[event.key] = [...(visits[event.key] ?? []), node === undefined ? 'end' : `${visit} ${node}`]
  }
  return visits
}

const saidIn = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'said' ? [event.content] : []))

const replyTo = (ask: Ask): unknown => (ask.kind === 'choice' ? 'again' : true)

/** Goes on with a log to the answer, on a clock that moves and with a person who says yes. */
async function finish(past: readonly Event[]): Promise<readonly Event[]> {
  const [journal, host] = [memoryJournal(), manualHost()]
  await journal.append('r', past)
  await host.advance(past.at(-1)?.at ?? 0)
  const described = describeAll()
  const options = { journal, host, id: 'r' }
  const run =
    past.length > 0 ? await described.resume('r', options) : described.start('Go', { ...options, observers: [laws()] })
  for (let turns = 0; run.state.signal?.type !== 'answer'; turns++) {
    if (turns > 50) throw new Error(`No answer: ${JSON.stringify(run.state.signal)}`)
    if (run.state.signal?.type === 'stopped') run.resume()
    await host.advance(10)
    for (const ask of run.state.signal ? run.state.asks : []) await run.reply(ask.id, replyTo(ask))
  }
  await run.settled
  return journal.read('r')
}

it('makes the same visits wherever it crashes', async () => {
  const whole = await finish([])
  expect(whole.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer', output: 'draft 1, draft 2' } })
  expect(whole.length).toBeGreaterThan(50)

  for (let length = 2; length < whole.length; length++) {
    const log = await finish(whole.slice(0, length))

    const where = `cut after event ${length - 1}`
    expect(visitsOf(log), where).toEqual(visitsOf(whole))
    expect(saidIn(log), where).toEqual(saidIn(whole))
    expect(log.at(-1), where).toMatchObject({ signal: { output: 'draft 1, draft 2' } })
  }
})

/** Works for a while, is stopped or lost, and resumes, again and again. */
async function finishWith(interruptions: readonly ('stop' | 'lose' | 'work')[]): Promise<readonly Event[]> {
  const [kept, host] = [memoryJournal(), manualHost()]
  let lives = 0
  /** Returns a journal that drops the writes of a lost page. */
  const journalOf = (life: number): Journal => ({
    ...kept,
    append: (id, events) => (life === lives ? kept.append(id, events) : new Promise(() => {})),
  })
  let run = describeAll().start('Go', { id: 'r', host, journal: journalOf(0) })
  await host.advance(0)
  for (const what of interruptions) {
    if (what === 'lose') run = await describeAll().resume('r', { host, journal: journalOf(++lives) })
    else if (what === 'stop') await run.stop()
    else await host.advance(3)
    if (run.state.signal?.type === 'stopped') run.resume()
    if (run.state.signal?.type === 'inputNeeded') await run.reply(run.state.asks[0]?.id ?? '', true)
  }
  await run.stop()
  return finish(await kept.read('r'))
}

it('makes the same visits however often it is stopped or lost', async () => {
  const whole = visitsOf(await finish([]))

  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('stop', 'lose', 'work'), { maxLength: 12 }), async (interruptions) => {
      expect(visitsOf(await finishWith(interruptions))).toEqual(whole)
    }),
    { numRuns: 40 },
  )
})
