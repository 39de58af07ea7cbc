import { ordinaryTexts, secretOf, secretPlaces } from '@interleave/test-kit/secrets'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { replay } from '../history/index.ts'
import { agent, form, tool } from '../index.ts'
import { exportRun, importRun, memoryJournal } from '../journal/index.ts'
import { observer } from '../log/observe.ts'
import type { Signal } from '../signal.ts'
import { redact, redacting } from './redact.ts'
import { isSecretName } from './secrets.ts'

it('row 15: leaves none of 1,000 secrets in an exported run, which can still be imported', async () => {
  const random = fc.sample(fc.record({ secret: secretOf, place: fc.constantFrom(...secretPlaces) }), {
    numRuns: 1_000,
    seed: 15,
  })
  const secrets = random.map(({ secret, place }) => place(secret))
  const echo = tool({
    inputSchema: z.looseObject({}),
    execute: (input) => {
      if ('fails' in input) throw new Error(JSON.stringify(input))
      return { ...input, again: JSON.stringify(input) }
    },
  })
  const calls = secrets.map(({ input }) => ({ name: 'echo', input }))
  const model = scriptedModel({ text: secrets.map(({ text }) => text).join('\n'), calls }, `Done: ${secrets[0]?.text}`)
  const run = agent({ name: 'a', model, tools: { echo } }).start(secrets.map(({ text }) => text).join(' '))
  await run.settled

  const file = await exportRun(run, { redact: true })

  const text = JSON.stringify(file)
  expect(random.filter(({ secret }) => text.includes(secret)).map(({ secret }) => secret)).toEqual([])
  const journal = memoryJournal()
  expect(await importRun(JSON.parse(text), { journal })).toBe(run.id)
  expect(replay(file).stateAt().signal?.type).toBe('answer')
})

it.each(ordinaryTexts)('leaves ordinary text alone: %s', (text) => {
  const event = { type: 'said', content: text, value: { text, note: { text } } }

  expect(redact(event)).toEqual({ value: event, found: [] })
  expect(redact(event).value).toBe(event)
})

it('gives the same secret the same mark, wherever it is, and tells what it found', () => {
  const { value, found } = redact({ text: 'It is hunter22!', input: { password: 'hunter22!', pin: 1234 } })

  expect(value).toEqual({
    text: 'It is [redacted: field "password" 1]',
    input: { password: '[redacted: field "password" 1]', pin: '[redacted: field "pin" 2]' },
  })
  expect(found).toEqual([
    { kind: 'field "password"', mark: '[redacted: field "password" 1]', hint: 'hun…', count: 2 },
    { kind: 'field "pin"', mark: '[redacted: field "pin" 2]', hint: '1…', count: 1 },
  ])
})

it('looks at a text that is nested without end as at any other', () => {
  const nested = `${'['.repeat(20_000)}"https://ada:hunter22@example.com"${']'.repeat(20_000)}`

  const { value, found } = redact({ type: 'observed', output: nested })

  expect(found).toHaveLength(1)
  expect(value.output).not.toContain('hunter22')
})

it('changes nothing when it is done again', () => {
  const { value } = redact({
    text: 'Bearer abc123def456',
    headers: [
      ['x-api-key', 'abc'],
      ['accept', '*/*'],
    ],
  })

  expect(redact(value)).toEqual({ value, found: [] })
})

it('takes fields and patterns of the app, and what schemas mark', async () => {
  const { value } = redact(
    { input: { nick: 'Ada', ssn: '1', card: '2', code: 'ABC-12' }, text: 'code ABC-12, name=Bo' },
    {
      fields: ['nick', /^s+n$/],
      patterns: [/[A-Z]{3}-\d\d/, /name=(?<secret>\w+)/],
      schemas: [{ type: 'object', properties: { card: { type: 'string', format: 'password' } } }],
    },
  )

  expect(JSON.stringify(value)).not.toMatch(/Ada|"1"|"2"|ABC|Bo/)
})

it.each<[string, object]>([
  ['patterns', { patterns: [null] }],
  ['patterns', { patterns: ['text'] }],
  ['fields', { fields: [5] }],
  ['schemas', { schemas: [null] }],
])('refuses %s that it cannot use: %j', (name, options) => {
  expect(() => redact({}, options)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`\`${name}\``) }),
  )
})

it('takes what a form asks for as a secret for one', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: (_, context) =>
      context.ask(form({ prompt: 'Log in', schema: z.object({ answer: z.string().meta({ format: 'password' }) }) })),
  })
  const run = agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Hi.'),
    tools: { ask },
  }).start('Go')
  await run.settled
  await run.reply('1/tool/0/ask/0', { answer: 'my mother' })
  await run.settled

  expect(JSON.stringify(await exportRun(run))).toContain('my mother')
  expect(JSON.stringify(await exportRun(run, { redact: true }))).not.toContain('my mother')
})

it('omits what was said, and what is left can still be imported', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('A long story', {
    history: [{ role: 'user', content: [{ type: 'text', text: 'Once upon a time' }] }],
  })
  await run.settled
  const file = await exportRun(run, { redact: { prompts: false } })

  expect(JSON.stringify(file)).not.toMatch(/story|Once/)
  expect(await importRun(file, { journal: memoryJournal() })).toBe(run.id)
})

it('tells an observer everything but the secrets', async () => {
  const told: unknown[] = []
  const pay = tool({ inputSchema: z.object({ password: z.string() }), execute: ({ password }) => `Used ${password}` })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { password: 'hunter22!' } }] }, 'Done.')
  const hooks = { onEvent: (...all: unknown[]) => told.push(all), onSignal: ({ type }: Signal) => told.push(type) }
  const observing = redacting(observer(hooks))
  const run = agent({ name: 'a', model, tools: { pay } }).start('Go', { observers: [observing] })

  await run.settled
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(told).toContain('answer')
  expect(JSON.stringify(told.filter((all) => JSON.stringify(all).includes('thought')))).not.toContain('hunter22!')
})

it('finds a token after what only begins like one', () => {
  const jwt = `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`
  for (const secret of [jwt, 'sk-proj-abcdefgh12345678'])
    for (const text of [`sk-a eyJ-x.y ${secret}`, `(sk-,${secret})`, `eyJ.${secret}`])
      expect(JSON.stringify(redact({ text }).value)).not.toContain(secret)
})

it('takes no long time, whatever the text', () => {
  for (const unit of [
    'sk-',
    'sk-a_',
    'a=',
    'Bearer ',
    'eyJ.',
    'eyJ-',
    'eyJ00000-',
    'https://a:',
    '-----BEGIN PRIVATE KEY-----',
    'password=',
    'a.b-',
  ])
    expect(redact({ text: unit.repeat(20_000) })).toBeTruthy()
})

it.each([
  [{ password: 'hunter2hunter2' }],
  [[{ password: 'hunter2hunter2' }]],
  [{ a: { b: { password: 'hunter2hunter2' } } }],
  [{ apiKey: 'hunter2hunter2' }],
])('finds the secret members of any data: %j', (data) => {
  const { value, found } = redact(data)

  expect(JSON.stringify(value)).not.toContain('hunter2hunter2')
  expect(found).toHaveLength(1)
})

const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) })
const circle: Record<string, unknown> = {}
circle.of = circle

it.each([
  ['deep data', deep(9_000)],
  ['data that refers to itself', circle],
])('refuses %s with a clear error', (_, data) => {
  for (const options of [{}, { prompts: false }] as const)
    expect(() => redact(data, options)).toThrow(expect.objectContaining({ code: 'json_invalid' }))
})

it('finds secrets under names in the plural', () => {
  expect(isSecretName('passwords')).toBe(true)
  expect(isSecretName('client_secrets')).toBe(true)
  expect(isSecretName('maxTokens')).toBe(false)
})
