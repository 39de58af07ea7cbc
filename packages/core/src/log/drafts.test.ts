import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent, type Event, type RunState, reasonAct } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'

const long = 'A sentence of a long answer. '.repeat(100)

/** A model that has written so much when its page goes away. */
function cutOff(text: string, kind: 'text' | 'reasoning' = 'text') {
  const stream = new ReadableStream({
    start(out) {
      out.enqueue({ type: 'stream-start', warnings: [] })
      out.enqueue({ type: `${kind}-start`, id: '0' })
      for (const word of text.match(/.{1,20}/g) ?? []) out.enqueue({ type: `${kind}-delta`, id: '0', delta: word })
    },
  })
  return { ...scriptedModel(), doStream: async () => ({ stream }) }
}
/** Returns the events of the journal when the page is gone. */
async function afterCrash(model: ReturnType<typeof cutOff>): Promise<Required<Journal>> {
  const kept = memoryJournal()
  let isGone = false
  const journal: Journal = {
    ...kept,
    append: (...given) => (isGone ? new Promise<void>(() => {}) : kept.append(...given)),
  }
  const run = agent({ name: 'a', model }).start('Go', { id: 'r', journal, observers: [laws()] })
  const isWhole = ({ draft }: RunState): boolean =>
    draft?.text.length === long.length || draft?.reasoning.length === long.length
  await new Promise<void>((resolve) => run.subscribe((_, state) => isWhole(state) && resolve()))
  // The journal answers in the same task.
  await new Promise((resolve) => setTimeout(resolve))
  isGone = true
  return kept
}
const ofType = <Type extends Event['type']>(events: readonly Event[], type: Type) =>
  events.filter((event): event is Extract<Event, { type: Type }> => event.type === type)

it('keeps what had arrived of a long turn when its page went away, and asks for the turn again', async () => {
  const journal = await afterCrash(cutOff(long))
  const model = scriptedModel('Done.')

  const run = await agent({ name: 'a', model }).resume('r', { journal })
  const signal = await run.settled

  const [partial] = ofType(await journal.read('r'), 'thought')
  expect(partial).toMatchObject({ error: { code: 'interrupted' }, readUntil: 0 })
  const text = partial?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? ''
  expect(long.startsWith(text)).toBe(true)
  expect(text.length).toBeGreaterThan(long.length / 3)
  expect(signal).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(model.calls[0]?.prompt)).not.toContain('sentence')
})

it('keeps reasoning too', async () => {
  const journal = await afterCrash(cutOff(long, 'reasoning'))

  const run = await agent({ name: 'a', model: scriptedModel('Done.') }).resume('r', { journal })
  await run.settled

  expect(ofType(await journal.read('r'), 'thought')[0]?.parts).toMatchObject([{ type: 'reasoning' }])
})

it('writes nothing of a short turn that is quick, and of a long one no more than twice its length', async () => {
  const write = async (text: string) => {
    const journal = memoryJournal()
    await agent({ name: 'a', model: scriptedModel(text) }).start('Go', { id: 'r', journal, observers: [laws()] })
      .settled
    return ofType(await journal.read('r'), 'drafted').reduce((length, event) => length + event.text.length, 0)
  }

  expect(await write('x'.repeat(900))).toBe(0)
  expect(await write(long.repeat(20))).toBeLessThanOrEqual(2 * 20 * long.length)
})

it('forgets what an attempt had written that failed', async () => {
  const journal = memoryJournal()
  const parts: readonly LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: long },
  ]
  const backend = reasonAct({ think: { retryDelayMs: 0 } })
  const run = agent({ name: 'a', model: scriptedModel(parts, 'Done.'), backend }).start('Go', {
    id: 'r',
    journal,
    observers: [laws()],
  })
  await run.settled

  expect(ofType(await journal.read('r'), 'drafted').map(({ text }) => text)).toEqual([long, ''])
  expect(run.state.drafted).toBeUndefined()
})

/** A turn that a test writes, in a place whose clock it moves. */
async function slowTurn() {
  const journal = memoryJournal()
  const clock = manualHost()
  const leaving = new Set<() => void>()
  const host = {
    ...clock,
    onLeave(callback: () => void) {
      leaving.add(callback)
      return () => void leaving.delete(callback)
    },
  }
  let out: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      out = controller
    },
  })
  const model = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const run = agent({ name: 'a', model }).start('Go', { id: 'r', journal, host, observers: [laws()] })
  out?.enqueue({ type: 'stream-start', warnings: [] })
  out?.enqueue({ type: 'text-start', id: '0' })
  await clock.advance(0)
  return {
    run,
    clock,
    leaving,
    async write(word: string, ms = 0) {
      out?.enqueue({ type: 'text-delta', id: '0', delta: word })
      await clock.advance(0)
      await clock.advance(ms)
    },
    drafts: async () => ofType(await journal.read('r'), 'drafted').map(({ text }) => text),
  }
}

it('keeps a short turn after five seconds, and then ever more rarely', async () => {
  const turn = await slowTurn()

  await turn.write('One ', 4_900)
  await turn.write('two ', 100)
  const before = await turn.drafts()
  await turn.write('three ', 9_900)
  await turn.write('four ', 100)
  const meanwhile = await turn.drafts()
  await turn.write('five ')
  await turn.clock.advance(60_000)

  expect([before, meanwhile]).toEqual([[], ['One two three ']])
  expect(await turn.drafts()).toEqual(['One two three ', 'One two three four five '])
})

it('keeps what there is when the page may be going away, and only what is new', async () => {
  const turn = await slowTurn()
  await turn.write('One ')

  for (const leave of turn.leaving) leave()
  for (const leave of turn.leaving) leave()
  await turn.clock.advance(0)

  expect(await turn.drafts()).toEqual(['One '])
})

it('keeps nothing any more of a turn that has ended', async () => {
  const turn = await slowTurn()
  await turn.write('One ')

  const [leave] = turn.leaving
  await turn.run.stop()
  leave?.()
  await turn.clock.advance(0)

  expect([turn.leaving.size, await turn.drafts()]).toEqual([0, []])
})
