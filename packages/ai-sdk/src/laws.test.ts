import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { agent, approval, type Event, tool } from '@interleave/core'
import { type AnyEvent, type LiveEvent, recorder } from '@interleave/core/observe'
import { readMessages } from '@interleave/test-kit/readMessages'
import { sampleRuns, wholeLife } from '@interleave/test-kit/sampleRuns'
import { scriptedModel } from '@interleave/testing'
import { safeValidateUIMessages } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { uiMessageChunks } from './chatStream.ts'
import { toUIMessages } from './toUIMessages.ts'

interface Recorded {
  readonly events: readonly Event[]
  readonly live?: readonly { readonly after: number; readonly event: LiveEvent }[]
}
const folder = path.join(import.meta.dirname, '../../../test/golden/recorded')
const golden = readdirSync(folder)
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name): [string, Recorded] => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))])

/** Runs of every kind, stopped in the middle and resumed. */
const recorded = await Promise.all(
  (await sampleRuns()).map(async ({ name, describe }): Promise<[string, Recorded]> => {
    const observer = recorder({ live: true })
    const run = describe(() => {}).start('Go', { observers: [observer], history: [{ role: 'system', content: 'Be' }] })
    // With concurrent branches, the usage of another branch counts in the answer that streams at that moment.
    if (name !== 'graph') void run.say('And this', { key: 'own' })
    await wholeLife(run)
    return [name, observer.export()]
  }),
)

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const inOrder = ({ events, live = [] }: Recorded): AnyEvent[] =>
  events.flatMap((event) => [...live.filter(({ after }) => after === event.seq).map((told) => told.event), event])
const answersIn = (messages: ReturnType<typeof toUIMessages>) =>
  messages.filter(({ role, metadata }) => role === 'assistant' && metadata)

it.each([...golden, ...recorded])(
  'makes the same of any beginning of the log "%s", streamed and at once',
  async (_, run) => {
    for (let length = 1; length <= run.events.length; length++) {
      const log = run.events.slice(0, length)
      const messages = toUIMessages(log)

      expect(plain((await readMessages(uiMessageChunks(log))).messages)).toEqual(plain(answersIn(messages)))
      const valid = await safeValidateUIMessages({ messages })
      expect(messages.length === 0 || valid.success || valid.error).toBe(true)
    }
  },
)

it.each([...golden, ...recorded])('makes the same of "%s" at each rest, whether it was live or not', async (_, run) => {
  const all = inOrder(run)
  for (const [index, event] of all.entries()) {
    if (event.type !== 'settled') continue
    const told = all.slice(0, index + 1)
    const messages = toUIMessages(told.filter((each) => 'seq' in each))

    expect(plain((await readMessages(uiMessageChunks(told))).messages)).toEqual(plain(answersIn(messages)))
  }
})

it.each([[0], [null], ['yes'], [[]], [{ approved: 1, reason: 7 }]])(
  'shows an approval whose stored reply is damaged as not approved: %j',
  async (value) => {
    const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'paid' })
    const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
    const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
    await run.settled
    await run.reply('1/tool/0/approval', { approved: true })
    await run.settled
    const log = run.log.map((event) => (event.type === 'replied' ? { ...event, value } : event))

    const messages = toUIMessages(log.slice(0, log.findIndex(({ type }) => type === 'replied') + 1))

    expect(messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ approval: expect.objectContaining({ approved: false }) }),
    )
  },
)
