import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { AgentError, agent, confirm, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs, type RemoteAgent, type RemoteRun } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const inputSchema = z.object({})
const ask = { calls: [{ name: 'ask', input: {} }] }

function browser() {
  const kept = memoryJournal()
  const charged: string[] = []
  const on = { charge: (_: FakeTab): void => {} }
  const { openTab } = fakeBrowser(kept, () => pause())
  /** `takeoverAfterMs` is long by default, so a slow machine causes no takeover. */
  const open = (
    model: LanguageModelV4 = scriptedModel(),
    takeoverAfterMs = 60_000,
  ): FakeTab & { guide: RemoteAgent<string> } => {
    const tab = openTab()
    const charge = tool({
      inputSchema,
      async execute(_, { idempotencyKey }) {
        on.charge(tab)
        await tab.wait()
        charged.push(idempotencyKey)
        return 'charged'
      },
    })
    const tools = { charge, ask: tool({ inputSchema, execute: (_, run) => run.ask(confirm({ prompt: 'Sure?' })) }) }
    const described = agent({ name: 'guide', model, tools })
    return Object.assign(tab, {
      guide: acrossTabs(described, { journal: tab.journal, origin: tab.origin, takeoverAfterMs }),
    })
  }
  return { kept, charged, on, open }
}

const textOf = ({ state }: RemoteRun<string>) => state.draft?.text

/** A model whose answer comes when the test has it come. */
function slowModel() {
  let out: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      out = controller
      out.enqueue({ type: 'stream-start', warnings: [] })
      out.enqueue({ type: 'text-start', id: '0' })
    },
  })
  const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const write = (delta: string): void => out?.enqueue({ type: 'text-delta', id: '0', delta })
  const finish = (): void => {
    out?.enqueue({ type: 'text-end', id: '0' })
    out?.enqueue({
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as LanguageModelV4Usage,
    })
    out?.close()
  }
  return { model, write, finish }
}

const isKept = (journal: Journal) => until(async () => (await journal.read('r')).length > 0)

it('works in the tab that began it, and is followed live in the others', async () => {
  const { open, kept } = browser()
  const slow = slowModel()
  const first = open(slow.model).guide.start('When?', { id: 'r' })
  slow.write('Mon')
  await until(() => textOf(first) === 'Mon')
  const second = await open().guide.resume('r')
  await until(() => textOf(second) === 'Mon')
  slow.write('day')
  await until(() => textOf(second) === 'Monday')
  slow.finish()

  expect(await second.settled).toMatchObject({ output: 'Monday' })
  expect([first.owner, second.owner]).toEqual(['here', 'elsewhere'])
  expect(second.state).toEqual(first.state)
  expect(await kept.read('r')).toHaveLength(first.state.seq)
})

it('is answered from another tab, and spoken to', async () => {
  const { open } = browser()
  const first = open(scriptedModel(ask, 'Done.', 'Bye.')).guide.start('Go', { id: 'r' })
  await first.settled
  const second = await open().guide.resume('r')
  const waits = await second.settled

  if (waits.type === 'inputNeeded') await second.reply(waits.asks[0].id, true)
  const answer = await second.settled
  await second.say('Thanks')

  expect(answer).toMatchObject({ output: 'Done.' })
  expect(await second.settled).toMatchObject({ output: 'Bye.' })
  expect(first.state.signal).toMatchObject({ output: 'Bye.' })
})

it('refuses in the other tab what is refused in the one that owns it', async () => {
  const { open } = browser()
  const first = open(scriptedModel(ask)).guide.start('Go', { id: 'r' })
  await first.settled
  const second = await open().guide.resume('r')

  await expect(second.reply('1/tool/0/ask/0', 'maybe')).rejects.toMatchObject({ code: 'reply_invalid' })
  await expect(second.reply('nobody', 1)).rejects.toMatchObject({ code: 'ask_unknown' })
})

it('is stopped from another tab', async () => {
  const { open, kept } = browser()
  const first = open(slowModel().model).guide.start('Go', { id: 'r' })
  await isKept(kept)
  const second = await open().guide.resume('r')

  await second.stop('Enough.')

  expect(second.state.signal).toMatchObject({ type: 'stopped', reason: 'Enough.' })
  expect(first.state.signal).toEqual(second.state.signal)
})

it('is taken over when its tab dies, and continues', async () => {
  const { open, kept } = browser()
  const one = open(slowModel().model)
  one.guide.start('Go', { id: 'r' })
  await isKept(kept)
  const second = await open(scriptedModel('Done.')).guide.resume('r')

  one.kill()

  expect(await second.settled).toMatchObject({ output: 'Done.' })
  expect(second.owner).toBe('here')
})

it('does what was asked of a tab that died before it could', async () => {
  const { open, kept } = browser()
  const one = open(scriptedModel(ask))
  const first = one.guide.start('Go', { id: 'r' })
  await first.settled
  const second = await open(scriptedModel('Done.')).guide.resume('r')
  await second.settled
  one.freeze()

  const reply = second.reply('1/tool/0/ask/0', true)
  one.kill()
  await reply

  expect(await second.settled).toMatchObject({ output: 'Done.' })
  expect((await kept.read('r')).filter(({ type }) => type === 'replied')).toHaveLength(1)
})

it('asks the tab that takes over for what the one before did not do', async () => {
  const { open, kept } = browser()
  const one = open(scriptedModel(ask))
  await one.guide.start('Go', { id: 'r' }).settled
  const second = await open(scriptedModel('Done.')).guide.resume('r')
  const third = await open().guide.resume('r')
  await Promise.all([second.settled, third.settled])
  one.freeze()

  const saying = third.say('Hurry')
  const replying = third.reply('1/tool/0/ask/0', true)
  await pause(20)
  one.kill()
  await Promise.all([saying, replying])

  expect(second.owner).toBe('here')
  expect((await kept.read('r')).filter(({ type }) => type === 'said')).toHaveLength(2)
})

it('is taken from a tab that is frozen, which follows when it wakes', async () => {
  const { open, kept, charged, on } = browser()
  const charge = { calls: [{ name: 'charge', input: {} }] }
  const one = open(scriptedModel(charge, 'Late.'), 100)
  on.charge = (tab) => tab.freeze()
  const first = one.guide.start('Go', { id: 'r' })
  await isKept(kept)
  const second = await open(scriptedModel('Done.'), 100).guide.resume('r')

  await until(() => second.owner === 'here')
  const interruption = await second.settled
  if (interruption.type === 'inputNeeded') await second.reply(interruption.asks[0].id, 'skip')
  await second.settled
  one.thaw()
  await until(() => first.owner !== 'here')

  await until(() => first.state.seq === second.state.seq)
  expect(first.state).toEqual(second.state)
  expect(second.state.signal).toMatchObject({ output: 'Done.' })
  expect(charged.length).toBeLessThan(2)
})

it('releases it in one tab, and another one continues', async () => {
  const { open, kept } = browser()
  const first = open(slowModel().model).guide.start('Go', { id: 'r' })
  await isKept(kept)
  const second = await open(scriptedModel('Done.')).guide.resume('r')

  first.close()

  expect(await second.settled).toMatchObject({ output: 'Done.' })
  await expect(first.say('more')).rejects.toMatchObject({ code: 'stopped' })
})

it('releases it as soon as it has it, and another one continues', async () => {
  const { open, kept } = browser()
  const one = open(slowModel().model)
  one.guide.start('Go', { id: 'r' })
  await isKept(kept)
  const second = await open(scriptedModel('Never.')).guide.resume('r')
  const third = await open(scriptedModel('Done.')).guide.resume('r')
  second.subscribe((event) => event.type === 'owned' && event.by === 'here' && second.close())

  one.kill()

  expect(await third.settled).toMatchObject({ output: 'Done.' })
})

it('refuses an option that it does not have', () => {
  const misspelled = { journal: memoryJournal(), takeOverAfter: 5_000 }
  const refused = () => acrossTabs(agent({ name: 'a', model: scriptedModel() }), misspelled)

  expect(refused).toThrow('acrossTabs() has no option `takeOverAfter`. Did you mean `takeoverAfterMs`?')
})

it.each([99, Number.NaN])('refuses to take runs over after %s milliseconds', (takeoverAfterMs) => {
  const refused = () =>
    acrossTabs(agent({ name: 'a', model: scriptedModel() }), { journal: memoryJournal(), takeoverAfterMs })

  expect(refused).toThrow(/`takeoverAfterMs`.* must be/)
})

it('opens a run once in a tab, and refuses one of another agent or that is not there', async () => {
  const { open, kept } = browser()
  const { guide } = open(scriptedModel('One.'))
  const run = guide.start('Go', { id: 'r' })
  await run.settled
  const other = acrossTabs(agent({ name: 'other', model: scriptedModel() }), { journal: kept, origin: open().origin })

  expect(await guide.resume('r')).toBe(run)
  await expect(other.resume('r')).rejects.toMatchObject({ code: 'agent_mismatch' })
  await expect(guide.resume('nobody')).rejects.toMatchObject({ code: 'run_unknown' })
})

it('says so when the id of a new run is taken, and leaves the other as it is', async () => {
  const { open, kept } = browser()
  await open(scriptedModel('One.')).guide.start('1', { id: 'r' }).settled
  const log = await kept.read('r')

  const second = open(scriptedModel('Two.')).guide.start('2', { id: 'r' })

  expect(await second.settled).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })
  expect(await kept.read('r')).toEqual(log)
})

it('refuses a start that makes no sense, and leaves nothing of it behind', async () => {
  const { open } = browser()
  const { guide } = open(scriptedModel('One.'))
  expect(() => guide.start('', { id: 'r' })).toThrow(/not empty/)

  const run = guide.start('Go', { id: 'r' })

  expect(() => guide.start('Go', { id: 'r' })).toThrow(/open here/)
  expect(await run.settled).toMatchObject({ output: 'One.' })
})

it('knows the first message by its key', async () => {
  const { guide } = browser().open(scriptedModel('Done.'))
  const run = guide.start('Go', { key: 'first' })
  await run.settled

  await run.say('Go', { key: 'first' })

  expect(run.state).toMatchObject({ signal: { type: 'answer' }, pending: [] })
})

it('asks a model once that fails as a lost run would', async () => {
  const { open } = browser()
  let times = 0
  const doStream = async () => {
    times++
    throw new AgentError('journal_conflict', 'Another owner took over.')
  }
  const run = open({ ...scriptedModel(), doStream }).guide.start('Go', { id: 'r' })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
  expect(times).toBe(1)
})
