import { agent, confirm, type Run, tool } from '@interleave/core'
import { applyCommand, type Command } from '@interleave/core/internal'
import { eventsOf } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { MirrorRun } from './remoteRun.ts'

/** Creates a run and its view from elsewhere: commands and events take a moment. */
function seenFromElsewhere(run: Run) {
  const asked: Command[] = []
  let ids = 0
  const soon = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value)))
  const mirror = new MirrorRun({
    id: run.id,
    host: { now: () => 0, newId: () => `said-${ids++}` },
    async send(command: Command) {
      asked.push(command)
      await soon(undefined)
      await applyCommand(run, command)
      return soon(run.state.seq)
    },
  })
  const tell = async (): Promise<void> => {
    for await (const event of eventsOf(run, { follow: true })) setTimeout(() => mirror.feed.publish(event))
  }
  void tell()
  return { run: mirror, asked }
}

const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const asking = () =>
  agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.'), tools: { ask } })

it('shows a run that works elsewhere, and answers it', async () => {
  const there = asking().start('Go')
  const { run } = seenFromElsewhere(there)

  const first = await run.settled
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state).toEqual(there.state)
})

it('does not take the rest before for what comes of a message', async () => {
  const { run } = seenFromElsewhere(agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('1'))
  await run.settled

  const saying = run.say('2')
  const after = await run.settled
  await saying

  expect(after).toMatchObject({ output: 'Two.' })
})

it('rejects what was refused there, and what makes no sense here', async () => {
  const { run, asked } = seenFromElsewhere(asking().start('Go'))
  await run.settled

  await expect(run.reply('nobody', true)).rejects.toMatchObject({ code: 'ask_unknown' })
  await expect(run.say('')).rejects.toMatchObject({ code: 'options_invalid' })
  expect(() => run.resume()).toThrow(/inputNeeded/)
  expect(asked).toHaveLength(1)
})

it('rejects a reply that is no data, as a run does', async () => {
  const { run } = seenFromElsewhere(asking().start('Go'))
  const itself: Record<string, unknown> = {}
  itself.self = itself

  await expect(run.reply('any', itself)).rejects.toMatchObject({ code: 'json_invalid' })
})

it('settles with the rest that it is taken back to', async () => {
  const run = new MirrorRun({ id: 'r', host: { now: () => 0, newId: () => 'k' }, send: async () => 0 })
  const { feed } = run
  const events = [
    { type: 'started', runId: 'r', agent: 'a', version: '1' },
    { type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } },
    { type: 'resumed' },
  ] as const
  for (const [seq, body] of events.entries()) feed.publish({ seq, at: 0, iteration: 0, ...body })

  const settled = run.settled
  feed.rewind(2)

  expect(await settled).toMatchObject({ type: 'stopped', reason: 'Enough.' })
})

it('stops and resumes', async () => {
  const { run } = seenFromElsewhere(asking().start('Go'))
  await run.settled
  await run.stop('Enough.')
  const stopped = run.state.signal

  run.resume()

  expect(stopped).toMatchObject({ type: 'stopped' })
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('says once what was sent twice', async () => {
  const there = agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') }).start('1')
  await there.settled

  await Promise.all([there.say('2', { key: 'k' }), there.say('2', { key: 'k' })])
  await there.settled
  await there.say('2', { key: 'k' })

  expect(await there.settled).toMatchObject({ output: 'Two.' })
})
