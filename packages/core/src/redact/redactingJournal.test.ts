import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { secretOf, secretPlaces } from '@interleave/test-kit/secrets'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { redacting, redactingJournal } from '../history/index.ts'
import { AgentError, agent, type StartOptions, tool, type UserContent } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'

afterEach(() => void vi.restoreAllMocks())

const seeded = fc.sample(fc.record({ secret: secretOf, place: fc.constantFrom(...secretPlaces) }), {
  numRuns: 1_000,
  seed: 1_515,
})
const texts = seeded.map(({ secret, place }) => place(secret).text)
const inputs = seeded.map(({ secret, place }) => place(secret).input as object)
/**
 * The telling part of each secret: of several lines, one suffices, since they are escaped in one place and not in
 * another.
 */
const telling = seeded.map(({ secret }) => secret.split('\n')[1] ?? secret)
const foundIn = (text: string, among: readonly string[] = telling): string[] =>
  among.filter((secret) => text.includes(secret))

/** Fails with its input, or gives it back, in an object and as text. */
const echo = tool({
  inputSchema: z.looseObject({}),
  execute: (input) => {
    if ('fails' in input) throw new Error(`GET https://a.example failed: ${JSON.stringify(input)}`)
    return { ...input, again: JSON.stringify(input) }
  },
})

const perRun = 10
it('row 15: keeps, exports, tells and prints none of 1,000 secrets that served runs work with', async () => {
  const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name))
  const kept = memoryJournal()
  let count = 0
  for (let at = 0; at < seeded.length; at += perRun) {
    const [some, calls, secrets] = [texts, inputs, telling].map((all) => all.slice(at, at + perRun)) as [
      string[],
      object[],
      string[],
    ]
    const out: string[] = []
    const model = scriptedModel(
      { text: some.join('\n'), calls: calls.map((input) => ({ name: 'echo', input })) },
      new Error(`401 for ${some.join(' ')}`),
    )
    const echoing = agent({ name: 'a', model, tools: { echo } })
    // Observers are what there is for telemetry.
    const observers = [redacting((event) => out.push(JSON.stringify(event)))]
    const start = (input: UserContent, options?: StartOptions) => echoing.start(input, { ...options, observers })
    const handler = openHandler([{ ...echoing, start }], { journal: redactingJournal(kept) })
    const id = `${at}`.padStart(32, 'r')
    const body = { agent: 'a', input: some.join(' ') }

    const begin = async () => (await call(handler, `runs/${id}`, { body })).status
    const statuses = [await begin(), await begin()]
    await (await call(handler, `runs/${id}/events?follow=false`)).text()
    out.push(await (await call(handler, `runs/${id}/export`)).text(), JSON.stringify(await kept.read(`ada/${id}`)))
    out.push(JSON.stringify(await kept.list()), JSON.stringify(printed.map(({ mock }) => mock.calls)))

    expect(statuses).toEqual([201, 200])
    // The run itself works with them.
    expect(foundIn(JSON.stringify(model.calls[1]?.prompt), secrets)).toEqual(secrets)
    expect(foundIn(out.join('\n'), secrets)).toEqual([])
    count += out.length
  }

  expect(count).toBeGreaterThan(2_000)
})

it('row 15: answers with none of the secrets that errors have in them, and prints none', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const errors = texts
    .slice(0, 200)
    .flatMap((text) => [
      new Error(text),
      new AgentError('request_invalid', `It says ${text}`),
      new AgentError('journal_failed', `postgres://admin:${text}@db failed`),
      new AgentError('model_failed', text),
    ])
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], {
    limits: { requests: 10_000 },
    authorize() {
      throw errors.pop()
    },
  })

  for (let left = errors.length; left > 0; left--) {
    const response = await call(handler, 'runs')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(foundIn(await response.text())).toEqual([])
  }
  expect(errors).toEqual([])
  // A model's own error and one without an origin are faults of the server, and so is a journal that fails.
  expect(printed).toHaveBeenCalledTimes(600)
  expect(foundIn(printed.mock.calls.join('\n'))).toEqual([])
})

it('continues from a log without the secrets in it', async () => {
  const kept = memoryJournal()
  const journal = redactingJournal(kept)
  const model = scriptedModel('Hello.', 'More.')
  const talker = agent({ name: 'a', model })
  await talker.start('My key is sk-proj-abcdefghijklmnopqrstuvwxyz_12', { id: 'r', journal }).settled

  const run = await talker.resume('r', { journal })
  await run.say('And?')
  await run.settled

  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('My key is [redacted: API key 1]')
  expect(await kept.read('r')).toHaveLength(run.state.seq)
  expect(journal.claim).toBeTypeOf('function')
  await journal.delete('r')
  expect(await kept.list()).toEqual([])
})

it.each([1, 2, 3, 4])(
  'continues if the answer to write %i is lost, although it changed what it wrote',
  async (lost) => {
    const kept = memoryJournal()
    let count = 0
    const append: typeof kept.append = async (...write) => {
      await kept.append(...write)
      if (++count === lost) throw new Error('The connection was lost.')
    }
    const model = scriptedModel({ calls: [{ name: 'echo', input: { password: 'hunter22222' } }] }, 'Done.')
    const run = agent({ name: 'a', model, tools: { echo } }).start('My password is hunter22222', {
      journal: redactingJournal(redactingJournal({ ...kept, append })),
    })

    if ((await run.settled).type === 'failed') run.resume()

    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(await kept.read(run.id)).toHaveLength(run.state.seq)
  },
)
