import { agent, confirm, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { observer } from '@interleave/core/observe'
import { connectPages } from '@interleave/test-kit/connectPages'
import { manualModel } from '@interleave/test-kit/manualModel'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { workerHost } from './index.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const asking = () =>
  agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.', 'More.'), tools: { ask } })

it('shows a run that works in the worker, and answers it', async () => {
  const { agent: a } = connectPages(workerHost([asking()])).open('a')
  const run = a.start('Go')

  const first = await run.settled
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.runId).toBe(run.id)
})

it('sends a late page past events and new ones', async () => {
  const pages = connectPages(workerHost([asking()]))
  const first = pages.open('a').agent.start('Go')
  await first.settled

  const second = await pages.open('a').agent.resume(first.id)
  await second.reply(first.state.asks[0]?.id ?? '', true)
  await Promise.all([untilSettled(first, 'answer'), untilSettled(second, 'answer')])

  expect(second.state).toEqual(first.state)
})

it('sends a late client the streaming turn so far', async () => {
  const model = manualModel()
  const pages = connectPages(workerHost([agent({ name: 'a', model })]))
  const first = pages.open('a').agent.start('Go')
  await model.called(1)
  model.say('Half')

  await expect.poll(() => first.state.draft?.text).toBe('Half')
  const second = await pages.open('a').agent.resume(first.id)
  const seen = second.state.draft?.text
  model.say(' and half')
  model.end()

  expect(await second.settled).toMatchObject({ output: 'Half and half' })
  expect(seen).toBe('Half')
})

it('stops a run there, and resumes it', async () => {
  const model = manualModel()
  const { agent: a } = connectPages(workerHost([agent({ name: 'a', model })])).open('a')
  const run = a.start('Go')
  await model.called(1)

  await run.stop('Enough.')
  const stopped = run.state.signal
  run.resume()
  await model.called(2)
  model.say('Done.')
  model.end()

  expect(stopped).toMatchObject({ type: 'stopped', reason: 'Enough.' })
  expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('rejects what is refused there, with its code', async () => {
  const pages = connectPages(workerHost([asking(), agent({ name: 'b', model: scriptedModel('B.') })]))
  const run = pages.open('a').agent.start('Go')
  await run.settled

  await expect(run.reply('nobody', true)).rejects.toMatchObject({ name: 'AgentError', code: 'ask_unknown' })
  await expect(pages.open('a').agent.resume('x')).rejects.toMatchObject({ code: 'run_unknown' })
  await expect(pages.open('b').agent.resume(run.id)).rejects.toMatchObject({ code: 'agent_mismatch' })
})

it('gives a page that has the run already the same one', async () => {
  const { agent: a } = connectPages(workerHost([asking()])).open('a')
  let answers = 0
  const observers = [observer({ onSignal: () => void answers++ })]
  const run = a.start('Go', { observers })

  expect(await a.resume(run.id, { observers })).toBe(run)
  await run.settled
  expect(answers).toBe(1)
})

it('keeps a run alive when its page dies', async () => {
  const model = manualModel()
  const pages = connectPages(workerHost([agent({ name: 'a', model })]))
  const first = pages.open('a')
  const run = first.agent.start('Go')
  await model.called(1)

  first.kill()
  const second = await pages.open('a').agent.resume(run.id)
  model.say('Done.')
  model.end()

  expect(await second.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls).toHaveLength(1)
})

it('finds a run in the journal that is not alive any more', async () => {
  const journal = memoryJournal()
  const before = connectPages(workerHost([asking()], { journal }))
    .open('a')
    .agent.start('Go')
  await before.settled

  const after = await connectPages(workerHost([asking()], { journal }))
    .open('a')
    .agent.resume(before.id)

  expect(after.state).toEqual(before.state)
})

it('loads a run again that another owner has resumed, for all pages that show it', async () => {
  const journal = memoryJournal()
  const talker = agent({ name: 'a', model: scriptedModel('1', '2', '3', '4') })
  const pages = connectPages(workerHost([talker], { journal }))
  const { agent: one } = pages.open('a')
  const run = one.start('Go')
  await run.settled
  const other = await pages.open('a').agent.resume(run.id)
  const elsewhere = await talker.resume(run.id, { journal })
  await elsewhere.say('More')
  await elsewhere.settled

  await expect(run.say('Too late')).rejects.toMatchObject({ code: 'journal_conflict' })
  await untilSettled(run, 'failed')
  await one.resume(run.id)
  const before = run.state
  await other.say('And more')
  await other.settled

  expect(before).toEqual(elsewhere.state)
  expect(other.state.history.flat()).toHaveLength(elsewhere.state.history.flat().length + 2)
  expect(other.state.signal).toMatchObject({ type: 'answer' })
})

it('continues a run here that was continued elsewhere, once its user tries again', async () => {
  const journal = memoryJournal()
  const talker = agent({ name: 'a', model: scriptedModel('1', '2', '3') })
  const run = connectPages(workerHost([talker], { journal }))
    .open('a')
    .agent.start('Go')
  await run.settled
  const elsewhere = await talker.resume(run.id, { journal })
  await elsewhere.say('More')
  await elsewhere.settled
  await expect(run.say('Too late')).rejects.toMatchObject({ code: 'journal_conflict' })
  await untilSettled(run, 'failed')

  run.resume()
  await untilSettled(run, 'answer')
  const before = run.state
  await run.say('And more')

  expect(before).toEqual(elsewhere.state)
  expect(await run.settled).toMatchObject({ output: '3' })
  await expect(elsewhere.say('Too late too')).rejects.toMatchObject({ code: 'journal_conflict' })
})

it('notifies observers of this page from the first event on', async () => {
  const told: string[] = []
  const { agent: a } = connectPages(workerHost([asking()])).open('a')
  const observers = [({ type }: { type: string }) => void told.push(type)]

  await a.start('Go', { observers }).settled

  expect(told.slice(0, 5)).toEqual(['sending', 'started', 'said', 'sending', 'thinking'])
  expect(told.at(-1)).toBe('settled')
})

it('settles when the rest is in the journal', async () => {
  let write = (): void => {}
  const written = new Promise<void>((resolve) => {
    write = resolve
  })
  const kept = memoryJournal()
  let isWriting = false
  const append: typeof kept.append = async (id, events, options) => {
    if (events.some(({ type }) => type === 'settled')) {
      isWriting = true
      await written
    }
    await kept.append(id, events, options)
  }
  const quick = agent({ name: 'a', model: scriptedModel('Done.') })
  const { agent: a } = connectPages(workerHost([quick], { journal: { ...kept, append } })).open('a')
  const run = a.start('Go')
  let isSettled = false
  const settled = run.settled.then(() => {
    isSettled = true
  })
  await expect.poll(() => isWriting).toBe(true)
  await a.resume(run.id)

  const before = [isSettled, run.state.signal]
  write()
  await settled

  expect(before).toEqual([false, undefined])
  expect(run.state.signal).toMatchObject({ type: 'answer' })
})

it('knows the first message by its key', async () => {
  const { agent: a } = connectPages(workerHost([agent({ name: 'a', model: scriptedModel('Done.') })])).open('a')
  const run = a.start('Go', { key: 'first' })
  await run.settled

  await run.say('Go', { key: 'first' })

  expect(run.state).toMatchObject({ signal: { type: 'answer' }, pending: [] })
})
