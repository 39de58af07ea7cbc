import { heldJournal } from '@interleave/test-kit/heldJournal'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, confirm, type Run, reasonAct, tool } from '../index.ts'

const noop = tool({ inputSchema: z.object({}), execute: () => 'ok' })
const calls = (name: string) => ({ calls: [{ name, input: {} }] })

it.each<[string, (run: Run) => Promise<void>]>([
  ['say', (run) => run.say('And?')],
  ['say, interrupting', (run) => run.say('And?', { now: true })],
  ['reply', (run) => run.reply(run.state.asks[0]?.id ?? '', true)],
  ['stop', (run) => run.stop()],
])('says after half a minute that the journal does not answer, and continues when it does: %s', async (_, act) => {
  const [journal, host] = [heldJournal(), manualHost()]
  const sure = tool({ inputSchema: z.object({}), execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
  const model = scriptedModel(calls('sure'), 'Done.', 'Done.')
  const run = agent({ name: 'a', model, tools: { sure } }).start('Go', { id: 'r', journal, host })
  journal.hold('asked')
  await expect.poll(() => journal.held).toEqual(['asked'])

  const acting = expect(act(run)).rejects.toMatchObject({
    code: 'journal_failed',
    retryable: true,
    message: expect.stringContaining('has not answered for 30 seconds'),
  })
  await host.advance(30_000)
  await acting
  journal.release()

  expect((await run.settled).type).toMatch(/answer|stopped|inputNeeded/)
  expect(await journal.read('r')).toEqual(run.log)
})

it('says that the journal does not answer a stop that ends a run at its limit', async () => {
  const [journal, host] = [heldJournal(), manualHost()]
  const backend = reasonAct({ limits: { iterations: 1 } })
  const model = scriptedModel(calls('noop'), 'Done.')
  const run = agent({ name: 'a', model, tools: { noop }, backend }).start('Go', { id: 'r', journal, host })
  expect(await run.settled).toMatchObject({ type: 'limitReached' })
  journal.hold('rested')

  const stopping = expect(run.stop()).rejects.toMatchObject({ code: 'journal_failed' })
  await host.advance(30_000)
  await stopping
  journal.release()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})
