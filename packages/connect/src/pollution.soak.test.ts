import { parseConfig } from '@interleave/config'
import { agent, localHost, tool } from '@interleave/core'
import { exportRun, importRun, memoryJournal, savedRun } from '@interleave/core/journal'
import { eventsOf, redact, replay } from '@interleave/core/observe'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { remoteAgent } from './http/index.ts'
import { isHostMessage, isPageMessage } from './messages.ts'
import { isTabMessage } from './tabs/tabMessage.ts'

/** Keys that reach a prototype where one object is merged into another, plain and as escapes. */
const keys = [
  '__proto__',
  '\\u005f_proto__',
  '\\u005f\\u005fproto\\u005F\\u005F',
  '__pr\\u006fto__',
  'constructor',
  '\\u0063onstructor',
  'constructo\\u0072',
  'prototype',
]
const values = [
  '{"polluted":true}',
  '{"prototype":{"polluted":true}}',
  '{"pr\\u006ftotype":{"polluted":[1]}}',
  '1',
  'null',
]
const members = keys.flatMap((key) => values.map((value) => `"${key}":${value}`))

/** Texts with a hostile member in one place after the other. */
function* poisoned(text: string, count: number): Generator<string> {
  const places = [...text.matchAll(/\{/g)].map(({ index }) => index + 1)
  for (let n = 0; n < count; n++) {
    const place = places[Math.floor(n / members.length) % places.length] ?? 1
    const rest = text.slice(place)
    yield `${text.slice(0, place)}${members[n % members.length]}${rest.startsWith('}') ? '' : ','}${rest}`
  }
}

/** Returns true if a value could change a prototype when it is merged. */
function isPoison(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__') || Object.getPrototypeOf(value)?.polluted !== undefined) return true
  const own = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  if (typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')) return true
  return Object.values(value).some(isPoison)
}

const names = Object.getOwnPropertyNames(Object.prototype)
afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names)
})

const pay = tool({ inputSchema: z.looseObject({}), execute: (input) => input })
const payer = (calls: readonly string[] = []) =>
  agent({
    name: 'a',
    model: scriptedModel({ calls: calls.map((input) => ({ name: 'pay', input })) }, 'Done.'),
    tools: { pay },
  })
const kept = memoryJournal()
const past = payer(['{"a":[{"b":{}}]}']).start('Go', { id: 'r', journal: kept })
await past.settled
const log = JSON.stringify(await kept.read('r'))

it('row 11: gives no tool such arguments, and keeps none', async () => {
  const inputs = [...poisoned('{"a":[{"b":{"c":{}}}],"d":{}}', 2_000)]
  const got: unknown[] = []
  for (let at = 0; at < inputs.length; at += 200) {
    const run = payer(inputs.slice(at, at + 200)).start('Go', { observers: [(event) => got.push(event)] })
    expect(await run.settled).toMatchObject({ type: 'answer' })
  }

  expect(got.filter(isPoison)).toEqual([])
  expect(got.filter((event) => JSON.stringify(event).includes('tool_input_invalid')).length).toBeGreaterThan(500)
})

it('row 11: resumes no log, state or file that has them', async () => {
  const [state, file] = [JSON.stringify(past.state), JSON.stringify(await exportRun(kept, 'r'))]
  const taken: unknown[] = []
  const take = async (work: () => unknown): Promise<void> => {
    try {
      taken.push(await work())
    } catch (error) {
      expect(error).toMatchObject({ name: 'AgentError' })
    }
  }

  for (const text of poisoned(log, 1_000)) {
    const journal = { ...memoryJournal(), read: () => JSON.parse(text), append() {}, claim: () => 1 }
    await take(async () => (await payer().resume('r', { journal })).state)
  }
  for (const text of poisoned(state, 1_000))
    await take(async () => (await payer().resume(savedRun(JSON.parse(text)))).state)
  for (const text of poisoned(file, 1_000)) {
    const journal = memoryJournal()
    await take(async () => journal.read(await importRun(JSON.parse(text), { journal })))
    await take(() => replay(JSON.parse(text)).stateAt())
  }

  expect(taken.filter(isPoison)).toEqual([])
  expect(taken.length).toBeGreaterThan(100)
})

it('row 11: ignores messages of a tab, a page or a worker that have them', () => {
  const stamp = '"seq":1,"at":1,"iteration":0,"type":"said","by":"user","content":[{"type":"text","text":"x"}]'
  const messages = [
    [
      '{"type":"command","from":"t","id":"1","command":{"type":"reply","ask":"a","value":{"a":{}},"after":1}}',
      isTabMessage,
    ],
    ['{"type":"start","id":"1","run":"r","input":[{"type":"text","text":"x"}]}', isPageMessage],
    ['{"type":"output","call":"c","value":{"a":[{"b":{}}]}}', isPageMessage],
    [
      '{"type":"tool","call":"c","name":"n","input":{"a":{}},"toolCallId":"t","runId":"r","idempotencyKey":"k"}',
      isHostMessage,
    ],
  ] as const

  for (const [text, isMessage] of messages) {
    expect(isMessage(JSON.parse(text))).toBe(true)
    for (const changed of poisoned(text, 500)) {
      const data: unknown = JSON.parse(changed)
      if (isPoison(data)) expect(isMessage(data), changed).toBe(false)
    }
  }
  expect(isPoison(JSON.parse(`{${stamp},"__proto__":{}}`))).toBe(true)
})

it('row 11: takes no request that has them', async () => {
  const handler = openHandler([payer()], { limits: { requests: 10_000, runs: 10_000 } })
  const run = `runs/${'r'.repeat(32)}`
  const bodies = [
    [`runs/${'n'.repeat(32)}`, '{"agent":"a","input":[{"type":"text","text":"x"}]}'],
    [`${run}/say`, '{"content":[{"type":"text","text":"x"}],"key":"k"}'],
    [`${run}/reply`, '{"ask":"a","value":{"a":{}},"token":"t"}'],
    [`${run}/answers`, '{"call":"c","output":{"a":{}}}'],
  ] as const

  for (const [path, text] of bodies) {
    for (const body of poisoned(text, 250)) {
      const { status } = await call(handler, path, { body })
      if (isPoison(JSON.parse(body))) expect(status, body).toBe(400)
      else expect(status, body).toBeLessThan(500)
    }
  }
})

it('row 11: believes no server that says them', async () => {
  const events = JSON.parse(log) as { seq: number }[]
  const first = [...poisoned(JSON.stringify(events[0]), 500)].map((text) => `id: 0\ndata: ${text}\n\n`)
  const delta = '{"type":"progressed","call":"1/tool/0","output":{"a":{}}}'
  const live = [...poisoned(delta, 500)].map((text) => `event: live\ndata: [${text}]\n\n`)
  const whole = events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const fresh = 'event: live\ndata: [{"type":"rewound","to":0}]\n\n'
  const frames = [...first, ...live].map((frame) => fresh + frame)
  const fetch = async (url: string) => {
    if (!url.includes('/events')) return Response.json({ agent: 'a', length: events.length, asks: [] })
    return new Response(frames.pop() ?? fresh + whole, { headers: { 'content-type': 'text/event-stream' } })
  }
  const told: unknown[] = []
  const host = { ...localHost, timer: (_: number, done: () => void) => localHost.timer(0, done) }

  const run = await remoteAgent({ url: 'https://edge.test', name: 'a', fetch, host }).resume('r')
  await run.settled
  for await (const event of eventsOf(run)) told.push(event)
  run.close()

  expect(frames).toEqual([])
  expect(told.length).toBeGreaterThanOrEqual(events.length)
  expect([...told, run.state].filter(isPoison)).toEqual([])
})

it('row 11: reads no agents, and writes no file, with them', () => {
  for (const text of poisoned('{"interleave":1,"agents":{"a":{"model":"m","tools":{}}}}', 500)) {
    let config: unknown
    try {
      config = parseConfig(text)
    } catch (error) {
      expect(error).toMatchObject({ name: 'AgentError' })
    }
    expect(isPoison(config), text).toBe(false)
  }
  for (const text of poisoned(log, 200)) expect(() => redact(JSON.parse(text))).not.toThrow()
})
