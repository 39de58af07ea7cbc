import { heldJournal } from '@interleave/test-kit/heldJournal'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { fold, messagesOf } from '../history/index.ts'
import { agent, choice, type Run, reasonAct, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'

/** The user messages of a run, each with whether a turn has it. */
const usersOf = (run: Run) =>
  messagesOf(run).flatMap((message) => (message.type === 'user' ? [[message.text, message.isRead]] : []))
const promptsOf = (model: ReturnType<typeof manualModel>) =>
  model.calls.map(({ prompt }) =>
    prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.map((part) => (part.type === 'text' ? part.text : part.type)) : [],
    ),
  )
const seqOf = (run: Run, text: string): number => {
  const found = messagesOf(run).find((message) => message.type === 'user' && message.text === text)
  return found?.type === 'user' ? found.seq : -1
}

/** A run whose first turn streams. */
async function streaming() {
  const model = manualModel()
  const journal = memoryJournal()
  const run = agent({ name: 'a', model }).start('Go', { journal })
  await model.called(1)
  model.say('One')
  return { model, run, journal }
}

it('replaces and withdraws messages that wait, and the model gets what is left', async () => {
  const { model, run, journal } = await streaming()
  await run.say('Second')
  await run.say('Third')

  await run.say('Second, but better', { replaces: seqOf(run, 'Second') })
  await run.say('', { replaces: seqOf(run, 'Third') })
  const waiting = usersOf(run)
  model.end()
  await model.called(2)
  model.say('Two')
  model.end()
  await run.settled

  expect(waiting).toEqual([
    ['Go', true],
    ['Second, but better', false],
  ])
  expect(promptsOf(model)).toEqual([['Go'], ['Go', 'Second, but better']])
  expect(usersOf(run)).toEqual([
    ['Go', true],
    ['Second, but better', true],
  ])
  expect(fold(await journal.read(run.id))).toEqual(run.state)
  expect(messagesOf(run.log)).toEqual(messagesOf(structuredClone(run.log)))
})

it('refuses to change a message that a turn has, that is not there, or that is not of the user', async () => {
  const { model, run } = await streaming()
  await run.say('Second')
  model.end()
  await model.called(2)

  for (const seq of [seqOf(run, 'Go'), seqOf(run, 'Second'), 99])
    await expect(run.say('Other', { replaces: seq })).rejects.toMatchObject({ code: 'run_busy' })

  expect(usersOf(run).map(([text]) => text)).toEqual(['Go', 'Second'])
  await run.stop()
})

it('answers once where all that waited is withdrawn', async () => {
  const { model, run } = await streaming()
  await run.say('Second')
  await run.say('', { replaces: seqOf(run, 'Second') })

  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'One' })
  expect(model.calls).toHaveLength(1)
})

it('does the same once for a key', async () => {
  const { model, run } = await streaming()
  await run.say('Second')
  const replaces = seqOf(run, 'Second')

  await run.say('Better', { replaces, key: 'k' })
  await run.say('Better', { replaces, key: 'k' })

  expect(usersOf(run).map(([text]) => text)).toEqual(['Go', 'Better'])
  model.end()
  await run.stop()
})

it('interrupts a turn for a message, without a rest', async () => {
  const { model, run } = await streaming()
  const signals: string[] = []
  run.subscribe((event) => event.type === 'settled' && signals.push(event.signal.type))
  await run.say('Second')

  await run.say('Second', { replaces: seqOf(run, 'Second'), now: true })
  await model.called(2)
  model.say('Two')
  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Two' })
  expect(promptsOf(model)[1]).toEqual(['Go', 'Second'])
  expect(signals).toEqual(['answer'])
})

it('interrupts a tool, and a question, for a message', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: (_, context) => context.ask(choice({ prompt: 'Which?', options: ['a'] })),
  })
  const endless = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => {}) })
  for (const name of ['ask', 'endless']) {
    const model = scriptedModel({ calls: [{ name, input: {} }] }, 'Fine.')
    const run = agent({ name: 'a', model, tools: { ask, endless } }).start('Go')
    await new Promise<void>((resolve) => run.subscribe(({ type }) => /^(claimed|asked)$/.test(type) && resolve()))

    await run.say('Never mind.', { now: true })

    expect(await run.settled).toMatchObject({ type: 'answer', output: 'Fine.' })
    expect(run.state.asks).toEqual([])
    expect(messagesOf(run)).toContainEqual(expect.objectContaining({ tool: name, state: 'failed' }))
  }
})

it('ends a run that is stopped while a message interrupts it', async () => {
  const { model, run } = await streaming()
  const saying = run.say('Second', { now: true })

  await run.stop('Enough.')
  await saying

  expect(await run.settled).toMatchObject({ type: 'stopped', reason: 'Enough.' })
  expect(model.calls).toHaveLength(1)
})

it.each([true, false])('continues after a stop with a message that was sent right after it (now: %s)', async (now) => {
  const { model, run } = await streaming()
  const signals: string[] = []
  run.subscribe((event) => event.type === 'settled' && signals.push(event.signal.type))

  const stopping = run.stop('Enough.')
  const saying = Promise.all([run.say('Second', { now, key: 'k' }), run.say('Second', { now, key: 'k' })])
  await stopping
  const whenStopped = [...signals]
  await saying
  await model.called(2)
  model.say('Two')
  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Two' })
  expect(whenStopped).toEqual(['stopped'])
  expect(signals).toEqual(['stopped', 'answer'])
  expect(promptsOf(model)[1]).toEqual(['Go', 'Second'])
})

it('keeps the message between two stops, and settles', async () => {
  const { model, run } = await streaming()

  await Promise.all([run.stop('One.'), run.say('Second'), run.stop('Two.')])

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(usersOf(run)).toEqual([
    ['Go', true],
    ['Second', false],
  ])
  expect(model.calls).toHaveLength(1)
})

it('continues with a message that was sent right after a stop at a limit', async () => {
  const model = scriptedModel({ calls: [{ name: 'work', input: {} }] }, 'Done.')
  const work = tool({ inputSchema: z.object({}), execute: () => 'worked' })
  const run = agent({ name: 'a', model, tools: { work }, backend: reasonAct({ limits: { iterations: 1 } }) }).start(
    'Go',
  )
  expect(await run.settled).toMatchObject({ type: 'limitReached' })

  await Promise.all([run.stop(), run.say('Second')])

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})

it('ends a run that is stopped while an interrupted turn is written', async () => {
  const journal = heldJournal()
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go', { journal })
  await model.called(1)
  await run.say('Second')
  journal.hold('thought')
  const saying = run.say('Third', { now: true })
  await expect.poll(() => journal.held).toContain('thought')

  const stopping = run.stop('Enough.')
  journal.release()
  await Promise.all([saying, stopping])

  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(model.calls).toHaveLength(1)
})

it('ends a run that is stopped while a reached limit is written', async () => {
  const journal = heldJournal()
  const model = scriptedModel({ calls: [{ name: 'work', input: {} }] }, 'Done.')
  const work = tool({ inputSchema: z.object({}), execute: () => 'worked' })
  const described = agent({ name: 'a', model, tools: { work }, backend: reasonAct({ limits: { iterations: 1 } }) })
  const run = described.start('Go', { journal })
  journal.hold('asked')
  await expect.poll(() => journal.held).toContain('asked')

  const stopping = run.stop('Enough.')
  journal.release()
  await stopping

  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Enough.' })
})
