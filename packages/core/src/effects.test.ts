import { play } from '@interleave/test-kit/crash/play'
import { scripts } from '@interleave/test-kit/crash/scripts'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Event } from './event.ts'
import { type Effect, type Host, localHost } from './host.ts'
import { agent, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'

interface Kept {
  readonly came: string
  readonly at: number
}

const nameOf = ({ kind, key }: Effect): string => `${kind} ${key}`

/** Keeps what each effect came to, and when, as a place that lasts would. */
const keeping = (host: Host, kept: Map<string, Kept>): Host => ({
  ...host,
  async perform(effect, body) {
    if (effect.kind === 'wait') return host.perform(effect, body)
    const came = JSON.stringify(await host.perform(effect, body))
    if (kept.has(nameOf(effect))) throw new Error(`Two effects are called ${nameOf(effect)}.`)
    kept.set(nameOf(effect), { came, at: host.now() })
    return JSON.parse(came)
  },
})

/** Gives what is kept and does nothing. People are waited for as ever. */
function replaying(host: Host, kept: ReadonlyMap<string, Kept>): Host {
  let time = host.now()
  return {
    ...host,
    now: () => time,
    async perform(effect, body) {
      if (effect.kind === 'wait') return host.perform(effect, body)
      const { came, at } = kept.get(nameOf(effect)) ?? unwanted(effect)
      await host.perform(effect, async () => {})
      time = Math.max(time, at)
      return JSON.parse(came)
    },
  }
}

function unwanted(effect: Effect): never {
  throw new Error(`Nobody wanted ${nameOf(effect)} before.`)
}

/** Questions that a tool or an external agent asks while it works are part of its effect, with what is noted there. */
const asksInside = (events: readonly Event[]): boolean =>
  events.some((event) => event.type === 'asked' && /[/](ask|external)[/]/.test(event.ask.id))

/** Returns the messages to and from the model, in whatever order tools ended. */
const conversation = (events: readonly Event[]): readonly string[] =>
  events
    .filter(({ type }) => type === 'thought' || type === 'observed')
    .map((event) => JSON.stringify({ ...event, seq: 0, at: 0, readUntil: 0 }))
    .sort()

it.each(scripts.map((script) => [script.name, script] as const))(
  'is the same run again by what its effects came to: %s',
  async (_, script) => {
    const kept = new Map<string, Kept>()
    const first = await play(script, { mutate: (life) => ({ ...life, host: keeping(life.host, kept) }) })
    const again = await play(script, { mutate: (life) => ({ ...life, host: replaying(life.host, kept) }) })

    expect(again.world.deeds).toEqual([])
    for (const [id, events] of again.logs) {
      const before = first.logs.get(id) ?? []
      if (asksInside(before)) expect(conversation(events)).toEqual(conversation(before))
      else expect(events).toEqual(before)
    }
    expect([...again.logs.keys()]).toEqual([...first.logs.keys()])
  },
)

/** A place that fails once, after it has carried out the first effect of this kind. */
function failingOnce(kind: Effect['kind']): { host: Host; effects: Effect[] } {
  const effects: Effect[] = []
  const perform: Host['perform'] = async (effect, body) => {
    effects.push(effect)
    const came = await body()
    if (effect.kind === kind && effects.filter((each) => each.kind === kind).length === 1) throw new Error('Lost.')
    return came
  }
  return { host: { ...localHost, perform }, effects }
}

const pay = (effect: 'atMostOnce' | 'idempotent', paid: string[]) =>
  tool({ inputSchema: z.object({}), effect, execute: (_, { idempotencyKey }) => void paid.push(idempotencyKey) })

it('asks whether a tool happened where the position lost what came of it', async () => {
  const { host, effects } = failingOnce('tool')
  const paid: string[] = []
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { pay: pay('atMostOnce', paid) } }).start('Pay', {
    host,
    id: 'r',
    journal: memoryJournal(),
  })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  await run.reply('1/tool/0/interruption', 'done')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paid).toEqual(['r/1/tool/0'])
  expect(effects.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'model 1/model',
    'tool 1/tool/0',
    'wait 1/tool/0/interruption',
    'model 2/model',
  ])
})

it('runs a tool again under its key where that does no harm', async () => {
  const paid: string[] = []
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const { host } = failingOnce('tool')
  const run = agent({ name: 'a', model, tools: { pay: pay('idempotent', paid) } }).start('Pay', { host, id: 'r' })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paid).toEqual(['r/1/tool/0', 'r/1/tool/0'])
})

it('takes what a place lost of a model for no turn, and asks again when it continues', async () => {
  const { host } = failingOnce('model')
  const run = agent({ name: 'a', model: scriptedModel('Lost.', 'Done.') }).start('Go', { host })

  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(run.state.iteration).toBe(0)
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})

it('asks whether a tool happened of which the host returned no outcome', async () => {
  const perform: Host['perform'] = (effect, body) =>
    effect.kind === 'tool' ? Promise.resolve(undefined as never) : body()
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] })
  const described = agent({ name: 'a', model, tools: { pay: pay('atMostOnce', []) } })
  const run = described.start('Pay', { host: { ...localHost, perform }, journal: memoryJournal() })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  expect(run.log.filter(({ type }) => type === 'observed')).toEqual([])
})
