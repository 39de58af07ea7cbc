import { agent, confirm, type Event, type Run, tool } from '@interleave/core'
import { hideErrors } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import type { Handler } from '@interleave/server'
import { runNames } from '@interleave/server/internal'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { remoteAgent } from './index.ts'

/** The fate of one request. */
type Fault =
  | { readonly type: 'none' | 'refused' | 'lost' | 'double' | 'busy' }
  | { readonly type: 'late'; readonly ms: number }
  /** Only this number of bytes of a stream arrives. */
  | { readonly type: 'cut' | 'stalls'; readonly bytes: number }

const bytes = fc.integer({ min: 0, max: 4_000 })
const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom(...(['none', 'refused', 'lost', 'double', 'busy'] as const)) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant<'cut'>('cut'), bytes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant<'late'>('late'), ms: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<'stalls'>('stalls'), bytes }) },
)

/** Says by what was said before, and not by how often it was asked: two servers may ask it. */
const model = () => {
  const turn = ({ prompt }: { prompt: readonly { role: string }[] }) => {
    const users = prompt.filter(({ role }) => role === 'user').length
    const isAsked = prompt.at(-1)?.role === 'tool'
    if (users === 1 && !isAsked)
      return {
        calls: [
          { name: 'ask', input: {} },
          { name: 'look', input: {} },
        ],
      }
    return { reasoning: 'Let me think of it.', text: `Answer ${users} in a few words that stream one by one.` }
  }
  return scriptedModel(...Array.from({ length: 200 }, () => turn as never))
}
const inputSchema = z.object({})
const tools = {
  ask: tool({ inputSchema, effect: 'readOnly', execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) }),
  look: tool({
    inputSchema,
    effect: 'readOnly',
    execute: () => new Promise((resolve) => setTimeout(resolve, 1, 'Seen.')),
  }),
}

/** Time runs a hundred times faster. */
const host = {
  now: () => Math.floor(performance.now() * 100),
  newId: () => crypto.randomUUID(),
  timer(ms: number, callback: () => void) {
    const id = setTimeout(callback, ms / 100)
    return () => clearTimeout(id)
  },
  perform: (_: unknown, body: () => never) => body(),
}

/** Creates a network on which the first requests meet these faults, and all others succeed. */
function network(handlers: readonly Handler[], faults: readonly Fault[]) {
  let count = 0
  return async (url: string, init: RequestInit): Promise<Response> => {
    const number = count++
    // Another process each few requests, until there is calm.
    const handler = handlers[number < faults.length ? Math.floor(number / 3) % handlers.length : 0] as Handler
    const { type, ...how } = faults[number] ?? { type: 'none' }
    const ask = () => handler(new Request(url, init))
    if (type === 'refused') throw new TypeError('Failed to fetch')
    if (type === 'busy') return new Response('Later', { status: 503 })
    if (type === 'late') await new Promise((resolve) => setTimeout(resolve, (how as { ms: number }).ms))
    if (type === 'double' && init.method === 'POST') await Promise.all([ask(), ask()])
    const response = await ask()
    if (type === 'lost') {
      await response.body?.cancel()
      throw new TypeError('Failed to fetch')
    }
    return type === 'cut' || type === 'stalls' ? shorten(response, how as never, type === 'stalls') : response
  }
}

function shorten(response: Response, { bytes: end }: { bytes: number }, stalls: boolean): Response {
  let seen = 0
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (seen >= end) return
      controller.enqueue(chunk.slice(0, end - seen))
      seen += chunk.length
      if (seen >= end && !stalls) controller.error(new TypeError('network error'))
    },
  })
  return new Response(response.body?.pipeThrough(cutting), response)
}

const answersOf = (run: Run) => run.log.filter((e) => e.type === 'settled' && e.signal.type === 'answer').length
const until = async (run: Run, holds: () => unknown): Promise<void> => {
  if (holds()) return
  await new Promise<void>((resolve) => {
    const leave = run.subscribe(() => {
      if (!holds()) return
      leave()
      resolve()
    })
  })
}

it('has the same events in the same order, whatever happens on the way', async () => {
  const law = async (faults: readonly Fault[], others: readonly Fault[], processes: number) => {
    const journal = memoryJournal()
    const handlers = Array.from({ length: processes }, () =>
      openHandler([agent({ name: 'a', model: model(), tools })], {
        journal: inAnotherProcess(journal),
        host,
        limits: { takeoverAfterMs: 10_000, requests: 1_000_000 },
      }),
    )
    const clientOf = (given: readonly Fault[]) =>
      remoteAgent({
        url: 'https://edge.test',
        name: 'a',
        headers: { authorization: 'ada' },
        host,
        fetch: network(handlers, given),
      })
    const run = clientOf(faults).start('Go')
    await until(run, () => run.state.asks.length > 0)
    const other = await clientOf(others).resume(run.id)
    // Two devices answer at once.
    const ask = run.state.asks[0]?.id ?? ''
    const replies = await Promise.allSettled([
      run.reply(ask, true),
      until(other, () => other.state.seq > 0).then(() => other.reply(ask, true)),
    ])
    await until(run, () => answersOf(run) === 1)
    await other.say('And?')
    await until(run, () => answersOf(run) === 2)
    await run.say('And more?')
    await Promise.all([until(run, () => answersOf(run) === 3), until(other, () => answersOf(other) === 3)])

    const kept = runNames('ada')
      .show(await journal.read(`ada/${run.id}`))
      .map((event) => hideErrors(event))
    expect(replies.some(({ status }) => status === 'fulfilled')).toBe(true)
    for (const each of [run, other]) {
      expect(each.log).toEqual(kept)
      expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index))
      expect(each.state).toEqual({ ...run.state, draft: undefined })
    }
    expect(count(kept, 'said')).toBe(3)
    expect(count(kept, 'replied')).toBe(1)
    run.close()
    other.close()
  }
  const plan = fc.array(fault, { maxLength: 12 })
  await fc.assert(fc.asyncProperty(plan, plan, fc.integer({ min: 1, max: 2 }), law), {
    numRuns: 25,
    endOnFailure: true,
  })
})

const count = (events: readonly Event[], type: Event['type']) => events.filter((event) => event.type === type).length
