import { isDeepStrictEqual } from 'node:util'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { bitFlip, damage } from '@interleave/test-kit/mutateLog'
import { scriptedModel } from '@interleave/testing'
import { textMode } from '@interleave/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { eventsOf } from './log/runEvents.ts'
import { checkLog } from './validate/validate.ts'

const finish = (unified: string) => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 3, noCache: 1, cacheRead: 1, cacheWrite: 1 },
    outputTokens: { total: 2, text: 1, reasoning: 1 },
    raw: { a: 1 },
  },
  providerMetadata: { p: { b: [1, { c: null }] } },
})
const providerMetadata = { p: { signature: 'x' } }
/** A turn with parts of every kind. */
const parts: readonly unknown[] = [
  { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }] },
  { type: 'response-metadata', id: 'r1', modelId: 'm' },
  { type: 'reasoning-start', id: '0', providerMetadata },
  { type: 'reasoning-delta', id: '0', delta: 'Hm.', providerMetadata },
  { type: 'reasoning-end', id: '0', providerMetadata },
  { type: 'text-start', id: '1', providerMetadata },
  { type: 'text-delta', id: '1', delta: 'Hi.' },
  { type: 'text-end', id: '1', providerMetadata },
  { type: 'source', sourceType: 'url', id: 's', url: 'https://a.b', title: 'A', providerMetadata },
  { type: 'custom', kind: 'p.k', providerMetadata },
  { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'AAAA' }, providerMetadata },
  { type: 'reasoning-file', mediaType: 'text/plain', data: { type: 'data', data: 'AAAA' }, providerMetadata },
  { type: 'tool-input-start', id: 'c1', toolName: 'look' },
  { type: 'tool-input-delta', id: 'c1', delta: '{}' },
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"a":[{"b":1}]}', providerMetadata },
  { type: 'tool-call', toolCallId: 'c2', toolName: 'search', input: '{}', providerExecuted: true, providerMetadata },
  { type: 'tool-result', toolCallId: 'c2', toolName: 'search', result: { found: [1, { x: null }] }, providerMetadata },
  { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c2', providerMetadata },
  finish('tool-calls'),
]

type Stream = Awaited<ReturnType<LanguageModelV4['doStream']>>['stream']
/** Creates a stream of these values, including invalid parts. */
const streamOf = (sent: readonly unknown[]): Stream => {
  let next = 0
  return new ReadableStream<never>({
    pull(stream) {
      if (next < sent.length) stream.enqueue(sent[next++] as never)
      else stream.close()
    },
  })
}

const readBack = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
const typed = /^(model_\w+|interrupted|step_failed)$/

/**
 * Whatever a provider sends, the run comes to its rest, what is written of it can be read again as it was, the journal never fails,
 * and a run that failed goes on with a model that is well again.
 */
async function expectReadable(sent: readonly unknown[], wrap = (model: LanguageModelV4) => model): Promise<void> {
  const journal = memoryJournal()
  const look = tool({ inputSchema: z.any(), execute: () => 'seen' })
  const answers = scriptedModel(() => 'Final Answer: Done.')
  let asked = 0
  const doStream: LanguageModelV4['doStream'] = async (call) =>
    asked++ === 0 ? { stream: streamOf(sent) } : answers.doStream(call)
  const backend = reasonAct({ think: { retries: 0 } })
  const model = wrap({ ...answers, doStream })
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go', { id: 'r', journal })

  const first = await run.settled
  if (first.type === 'failed') {
    expect(first.error.code).toMatch(typed)
    run.resume()
  }
  const { type } = await run.settled
  const kept = await journal.read('r')

  expect(type).toMatch(first.type === 'failed' ? /^answer$/ : /^(answer|inputNeeded)$/)
  expect(kept).toHaveLength(run.state.seq)
  // toStrictEqual() takes a member named "constructor" for a class.
  expect(isDeepStrictEqual(readBack(kept), kept), JSON.stringify(kept)).toBe(true)
  expect(isDeepStrictEqual(checkLog(readBack(kept), { runId: 'r' }), kept)).toBe(true)
  expect(readBack(run.state)).toEqual(run.state)
  for (const count of Object.values(run.state.usage)) expect(count).toBeGreaterThanOrEqual(0)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

it.each([
  ['damaged', damage],
  ['flipped', bitFlip],
])(
  'writes nothing that cannot be read again, whatever a provider sends: %s',
  async (_, harms) => {
    await fc.assert(
      fc.asyncProperty(harms, async (harm) => {
        const stream = harm(parts)
        if (Array.isArray(stream)) await expectReadable(stream)
      }),
      { numRuns: 200 },
    )
  },
  60_000,
)

const hostile = JSON.parse(`{"p":{"__proto__":{"polluted":1},"deep":${'['.repeat(150)}${']'.repeat(150)},"kept":1}}`)

it.each(parts.map((part) => (part as { type: string }).type))(
  'keeps a run whose provider sends hostile data with %s',
  async (type) => {
    const members = {
      providerMetadata: hostile,
      result: hostile,
      warnings: [hostile],
      finishReason: { unified: 'stop', raw: hostile },
    }
    const sent = parts.map((part) => {
      const own = Object.entries(members).filter(([key]) => key in (part as object) || key === 'providerMetadata')
      return (part as { type: string }).type === type ? { ...(part as object), ...Object.fromEntries(own) } : part
    })

    await expectReadable(sent)
  },
)

class Instance {
  member = 1
}
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const throws = (): never => {
  throw new Error('Do not look.')
}
const cycle = (): object => {
  const self: unknown[] = [1]
  self.push(self, { self })
  return self
}
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Makes a value, since a generator of values looks into them. */
type Make = () => unknown
const always =
  (value: unknown): Make =>
  () =>
    value

/** Generates values that JavaScript has and JSON does not, and unexpected JSON. */
const strange: fc.Arbitrary<Make> = fc.oneof(
  fc.constantFrom<Make[]>(
    () => undefined,
    () => null,
    () => 5n,
    () => Symbol('s'),
    () => throws,
    cycle,
    revoked,
    () => nested(60),
    () => nested(200),
    () => nested(20_000),
    () => new Instance(),
    () => new Map([[1, 2]]),
    () => new Date(Number.NaN),
    () => new URL('https://a.b/c'),
    () => new Uint8Array(3),
    () => new Float32Array(3),
    () => new Error('x'),
    () => Promise.resolve(1),
    () => ({ toJSON: () => 5n }),
    () => Object.defineProperty({}, 'lone', { enumerable: true, get: throws }),
    () => Object.defineProperty({}, Symbol.toStringTag, { get: throws }),
    () => Object.defineProperty([], 0, { get: throws }),
    () => new Array(2 ** 32 - 1),
    () => 'x'.repeat(1_000_000),
    () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    () => ({ id: '__proto__', nested: { toolCallId: 'constructor' } }),
    () => ({ total: -1, noCache: Number.NaN, text: '5', unified: 5n }),
  ),
  fc
    .constantFrom<unknown>('__proto__', 'constructor', '', '\ud800', '\udc00a', 'look', 'c1', '{"a":1}', 'stop')
    .map(always),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, -1, -0, 1e308, 0.5, true, false).map(always),
  fc
    .anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true })
    .map(always),
)

const names = [...new Set(parts.flatMap((part) => Object.keys(part as object)))]
/** A part of which some members are something else, at any depth. */
const mangled = fc
  .tuple(fc.constantFrom(...parts), fc.array(fc.tuple(fc.constantFrom(...names, 'more'), fc.nat(3), strange)))
  .map(
    ([part, changes]): Make =>
      () => {
        const changed = structuredClone(part) as Record<string, unknown>
        for (const [name, depth, make] of changes) {
          let holder = changed
          let key: string = name
          for (let level = 0; level < depth; level++) {
            const [inner, first] = inOrder(holder, key)
            if (!inner || first === undefined) break
            ;[holder, key] = [inner, first]
          }
          Reflect.set(holder, key, make())
        }
        return changed
      },
  )
/** A member that may be changed, and the first of its own. */
function inOrder(holder: Record<string, unknown>, name: string): [Record<string, unknown>?, (string | undefined)?] {
  try {
    const inner = holder[name]
    if (typeof inner !== 'object' || inner === null || ArrayBuffer.isView(inner)) return []
    return [inner as Record<string, unknown>, Object.keys(inner)[0]]
  } catch {
    return []
  }
}
const anyPart = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...parts).map(always) },
  { weight: 3, arbitrary: mangled },
  { weight: 1, arbitrary: strange },
)
/** Generates any stream: some end with a finish, and some just end. */
const anyStream = fc
  .tuple(
    fc.array(anyPart, { maxLength: 12 }),
    fc.constantFrom<readonly unknown[]>([], [finish('stop')], [finish('tool-calls')]),
  )
  .map(([sent, end]) => () => [...sent.map((make) => make()), ...end])

const models: [string, ((model: LanguageModelV4) => LanguageModelV4)?][] = [
  ['a model that calls tools'],
  ['a model that only writes', (model) => textMode(model)],
]

it.each(models)('bears warnings that are nothing but a length, of %s', async (_, wrap) => {
  await expectReadable([{ type: 'stream-start', warnings: new Array(2 ** 32 - 1) }, ...parts], wrap)
  await expectReadable([{ type: 'stream-start', warnings: new Array(2 ** 30) }, ...parts], wrap)
})

it.each(models)(
  'bears any value in any position of any part, of %s',
  async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(anyStream, (make) => expectReadable(make(), wrap)),
      { numRuns: 400 },
    )
  },
  60_000,
)

it.each(
  parts.flatMap((part) => Object.keys(part as object).map((name) => [(part as { type: string }).type, name, part])),
)('bears what JSON has no word for in a "%s" with a strange "%s"', async (_, name, part) => {
  for (const value of [5n, throws, Symbol('s'), cycle(), new Instance(), revoked(), nested(20_000)]) {
    await expectReadable([{ ...(part as object), [String(name)]: value }, ...parts])
    await expectReadable([Object.defineProperty({ ...(part as object) }, String(name), { get: throws }), ...parts])
  }
})

const unreadable: Readonly<Record<string, () => object>> = {
  'a revoked proxy': revoked,
  'an object that cannot be read': () => new Proxy({}, { get: throws, getPrototypeOf: throws, has: throws }),
}

it.each(Object.entries(unreadable))('asks the next model where one throws %s', async (_, thrown) => {
  const failing: readonly LanguageModelV4['doStream'][] = [
    () => Promise.reject(thrown()),
    () => {
      throw thrown()
    },
    () => Promise.resolve({ stream: new ReadableStream({ start: (stream) => stream.error(thrown()) }) }),
  ]
  for (const doStream of failing) {
    const model = [{ ...scriptedModel(), doStream }, scriptedModel('Hello.')] as const
    const run = agent({ name: 'a', model }).start('Hi')

    expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
  }
})

it.each(Object.entries(unreadable))(
  'tells the model that a tool, its schema or its policy threw %s',
  async (_, thrown) => {
    const inputSchema = z.object({})
    const fail = (): never => {
      throw thrown()
    }
    const tools = {
      fails: tool({ inputSchema, execute: fail }),
      checks: tool({ inputSchema: z.object({}).transform(fail), execute: () => 'ok' }),
      asks: tool({ inputSchema, approve: fail, execute: () => 'ok' }),
    }
    const calls = Object.keys(tools).map((name) => ({ name, input: {} }))
    const run = agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools }).start('Hi')

    expect(await run.settled).toMatchObject({ type: 'answer' })
    const results: unknown[] = []
    for await (const event of eventsOf(run)) if (event.type === 'observed') results.push(event.error?.message)
    expect(results).toEqual(Array(3).fill('The thrown value cannot be read.'))
  },
)

it.each([null, Number.NaN, new Date(Number.NaN)])('takes no file without data into the history: %s', async (data) => {
  const sent = [{ type: 'file', mediaType: 'image/png', data }, finish('stop')]
  const doStream: LanguageModelV4['doStream'] = async () => ({ stream: streamOf(sent) })

  const run = agent({ name: 'a', model: { ...scriptedModel(), doStream } }).start('Draw')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_malformed' } })
})

it.each(Object.entries(unreadable))('settles where a journal throws %s', async (_, thrown) => {
  const append = (): Promise<never> => Promise.reject(thrown())
  const run = agent({ name: 'a', model: scriptedModel('Hello.') }).start('Hi', {
    journal: { ...memoryJournal(), append },
  })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
})

it.each([undefined, {}, { stream: [] }])('says that a model gave no stream, but %j', async (given) => {
  const model = { ...scriptedModel(), doStream: async () => given as never }

  expect(await agent({ name: 'a', model }).start('Go').settled).toMatchObject({
    error: { code: 'model_malformed', message: expect.stringContaining('doStream()') },
  })
})
