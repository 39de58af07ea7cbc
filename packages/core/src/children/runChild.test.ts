import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { until } from '@interleave/test-kit/until'
import { expectTrace, manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import {
  type Agent,
  agent,
  approval,
  form,
  type Host,
  localHost,
  type Run,
  reasonAct,
  type Step,
  text,
  tool,
} from '../index.ts'
import { type Journal, memoryJournal, savedRun } from '../journal/index.ts'
import { runChild } from './child.ts'

const inputSchema = z.object({})
const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
const task = { task: 'Find it' }

/** Creates a model that calls once, and then answers, however often it restarts: it reads its prompt. */
const onceThen = (turn: ScriptedTurn, answer: (last: string) => ScriptedTurn): ScriptedTurn[] =>
  Array.from({ length: 50 }, () => ({ prompt }: { prompt: LanguageModelV4Prompt }) => {
    const last = prompt.at(-1)
    return last?.role === 'tool' ? answer(JSON.stringify(last.content)) : turn
  })

/** A chief has an editor, who has a researcher, who asks before and while it looks. */
function newsroom(looked: string[] = []): Agent<string> {
  const look = tool({
    inputSchema,
    approve: approval(),
    effect: 'idempotent',
    execute: async (_, { ask, idempotencyKey }) => {
      looked.push(idempotencyKey)
      return `saw ${await ask(text({ prompt: 'Where?' }))}`
    },
  })
  const answer = (words: string) => (last: string) => `${words}: ${/saw \w+/.exec(last)?.[0]}`
  const model = (turn: ScriptedTurn, words: string) => scriptedModel(...onceThen(turn, answer(words)))
  const researcher = agent({ name: 'researcher', model: model(call('look'), 'Found'), tools: { look } })
  const research = agentTool(researcher, { description: 'Finds facts.' })
  const editor = agent({ name: 'editor', model: model(call('research', task), 'Written'), tools: { research } })
  const edit = agentTool(editor, { description: 'Writes.' })
  return agent({ name: 'chief', model: model(call('edit', task), 'Printed'), tools: { edit } })
}
const result = { type: 'answer', output: 'Printed: saw here' }

const answers: Readonly<Record<string, unknown>> = {
  approval: { approved: true },
  text: 'here',
  extension: { extend: 5 },
  // A saved state does not tell whether a journal has the log of a child that is not in it.
  choice: 'again',
}
async function replyAll(run: Run): Promise<unknown> {
  for (let signal = await run.settled; ; signal = await run.settled) {
    if (signal.type !== 'inputNeeded') return signal
    for (const ask of signal.asks) await run.reply(ask.id, answers[ask.kind])
  }
}

const traceOptions = () => ({ id: 'r', journal: memoryJournal(), host: manualHost(), observers: [laws()] })

it('lets agents work for one another, and asks their questions at the top', async () => {
  const options = traceOptions()
  const run = newsroom().start('Write', options)

  expect(await replyAll(run)).toMatchObject(result)

  const way = '1/tool/0>1/tool/0'
  const kept = (await options.journal.read('r')).filter(({ type }) => type !== 'noted')
  expectTrace(
    kept,
    `
    0 started chief
    0 said user "Write"
    1 thought "" edit({"task":"Find it"})
    1 claimed 1/tool/0
    1 asked ${way}>1/tool/0/approval approval "Allow look?"
    1 settled inputNeeded ${way}>1/tool/0/approval
    1 replied ${way}>1/tool/0/approval {"approved":true}
    1 asked ${way}>1/tool/0/ask/0 text "Where?"
    1 settled inputNeeded ${way}>1/tool/0/ask/0
    1 replied ${way}>1/tool/0/ask/0 "here"
    1 observed 1/tool/0 text "Written: saw here"
    2 thought "Printed: saw here"
    2 settled answer "Printed: saw here"
    `,
  )
  expectTrace(
    await options.journal.read('r/1/tool/0/1/tool/0'),
    `
    0 started researcher
    0 said user "Find it"
    1 thought "" look({})
    1 asked 1/tool/0/approval approval "Allow look?"
    1 settled inputNeeded 1/tool/0/approval
    1 replied 1/tool/0/approval {"approved":true}
    1 claimed 1/tool/0
    1 asked 1/tool/0/ask/0 text "Where?"
    1 settled inputNeeded 1/tool/0/ask/0
    1 replied 1/tool/0/ask/0 "here"
    1 observed 1/tool/0 text "saw here"
    2 thought "Found: saw here"
    2 settled answer "Found: saw here"
    `,
  )
})

it('says which run asks, and of which run a run is a part', async () => {
  const options = traceOptions()
  const run = newsroom().start('Write', options)

  await run.settled

  const below = { runId: 'r/1/tool/0/1/tool/0', agent: 'researcher' }
  expect(run.state.asks).toMatchObject([{ call: '1/tool/0', from: below }])
  expect(await options.journal.list({ agent: 'researcher' })).toMatchObject([
    { runId: below.runId, parent: { runId: 'r/1/tool/0', key: '1/tool/0', depth: 2 } },
  ])
  expect((await options.journal.list({ agent: 'chief' }))[0]).not.toHaveProperty('parent')
})

it('counts what the child agents use up, once', async () => {
  const options = traceOptions()
  const run = newsroom().start('Write', options)

  await replyAll(run)

  expect(run.state.usage).toMatchObject({ inputTokens: 60, outputTokens: 30, unpricedTurns: 6 })
})

/** A journal that remembers in which order everything was written. */
function remembering(): { journal: Journal; cut(length: number): Promise<Journal>; written: () => number } {
  const journal = memoryJournal()
  const log: Parameters<Journal['append']>[] = []
  const append: Journal['append'] = async (id, events) => {
    await journal.append(id, events)
    log.push([id, events])
  }
  const cut = async (length: number) => {
    const part = memoryJournal()
    for (const [id, events] of log.slice(0, length)) await part.append(id, events)
    return part
  }
  return { journal: { ...journal, append }, cut, written: () => log.length }
}

it('continues from a crash after any write, at any level, to the same answer', async () => {
  const whole = remembering()
  await replyAll(newsroom().start('Write', { id: 'r', journal: whole.journal }))

  for (let length = 1; length < whole.written(); length++) {
    const journal = await whole.cut(length)
    const looked: string[] = []
    const run = await newsroom(looked).resume('r', { journal })

    expect(await replyAll(run), `cut after ${length}`).toMatchObject(result)

    expect(run.state.asks).toEqual([])
    expect(run.state.usage).toMatchObject({ inputTokens: 60, outputTokens: 30 })
    expect(new Set(looked).size).toBeLessThanOrEqual(1)
    expect(await journal.list()).toHaveLength(3)
  }
})

it('continues from a log that was kept while it waited, without a journal', async () => {
  const first = newsroom().start('Write')
  for (const kind of ['approval', 'text']) {
    await first.settled
    const copy = await newsroom().resume(savedRun(JSON.parse(JSON.stringify(first.log))))

    expect(await replyAll(copy)).toMatchObject(result)

    expect(copy.state.usage).toMatchObject({ inputTokens: 60, outputTokens: 30 })
    await first.reply(first.state.asks[0]?.id ?? '', answers[kind])
  }
})

it('continues from a log of any length, without a journal', async () => {
  const run = newsroom().start('Write')
  await replyAll(run)

  for (let length = 3; length <= run.log.length; length++) {
    const again = await newsroom().resume(savedRun(run.log.slice(0, length)))
    expect(await replyAll(again)).toMatchObject(result)
  }
})

it('stops what works for it, and continues with it', async () => {
  const { observers: _, ...options } = traceOptions()
  const run = newsroom().start('Write', options)
  await run.settled

  await run.stop('Enough.')

  expect(run.state).toMatchObject({ signal: { type: 'stopped' }, asks: [] })
  const signals = (await options.journal.list()).map(({ signal }) => signal)
  expect(signals).toEqual(['stopped', 'stopped', 'stopped'])

  run.resume()
  expect(await replyAll(run)).toMatchObject({ type: 'answer', output: 'Printed: undefined' })
  expect(await options.journal.list()).toHaveLength(3)
  const types = (await options.journal.read('r/1/tool/0/1/tool/0')).map(({ type }) => type)
  expect(types.slice(types.indexOf('settled', 6))).toEqual(['settled', 'resumed', 'thought', 'settled'])
})

it('gives up what a stop left open when something new is said', async () => {
  const run = newsroom().start('Write')
  await run.settled
  await run.stop()

  await run.say('Something else')
  await run.settled

  const message = 'Stopped by the user. It may have happened.'
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ key: '1/tool/0', error: { message } }] })
  expect(run.state.asks).toMatchObject([{ id: '2/tool/0>1/tool/0>1/tool/0/approval' }])
})

it('can be stopped at any moment, at any level, and continues', async () => {
  const events = await countEvents()
  for (let count = 1; count < events; count++) {
    const run = newsroom().start('Write', { id: 'r', journal: memoryJournal(), observers: [laws()] })
    let told = 0
    const stopped = new Promise<void>((resolve) => {
      run.subscribe(() => {
        if (++told === count) resolve(run.stop())
      })
    })
    // A question may be gone when it is to be answered.
    const first = replyAll(run).catch(() => {})
    await stopped
    await first
    if (run.state.signal?.type === 'stopped') run.resume()

    expect(await replyAll(run), `stopped after ${count}`).toMatchObject({ type: 'answer' })
  }
})

async function countEvents(): Promise<number> {
  const run = newsroom().start('Write', { journal: memoryJournal() })
  let count = 0
  run.subscribe(() => count++)
  await replyAll(run)
  return count
}

/** Two branches of one step, each with a run of its own. */
const inTwo =
  (below: Agent): Step =>
  async (run) => {
    const keys = ['left', 'right']
    const signals = await Promise.all(keys.map((key) => runChild(run, { key, agent: below, input: `Go ${key}` })))
    return { type: 'answer', output: signals.map(({ type }) => type).join(), reason: 'completed' }
  }

it('is for steps too, which rest when all their children wait', async () => {
  const ask = tool({ inputSchema, execute: (_, context) => context.ask(text({ prompt: 'Well?' })) })
  const turns = onceThen(call('ask'), () => 'Done.')
  const made = (): Agent<string> => {
    const below = agent({ name: 'helper', model: scriptedModel(...turns), tools: { ask } })
    return agent({ name: 'a', model: scriptedModel(), backend: inTwo(below) })
  }
  const journal = memoryJournal()
  const first = made().start('Go', { id: 'r', journal })
  await first.settled
  await first.reply('left>1/tool/0/ask/0', 'here')
  await first.settled

  const run = await made().resume('r', { journal })
  expect(run.state).toMatchObject({ signal: { type: 'inputNeeded' }, asks: [{ id: 'right>1/tool/0/ask/0' }] })
  await run.reply('right>1/tool/0/ask/0', 'there')

  expect(await run.settled).toMatchObject({ output: 'answer,answer' })
  expect(await journal.read('r/left')).toMatchObject({ length: 10 })
})

it.each(['a~1', 'a>b'])(
  'leaves the questions of the child "%s" open, whose key begins with that of another',
  async (key) => {
    const answer = (given: string[]) => ({ type: 'answer', output: given.join(), reason: 'completed' }) as const
    const ask: Step = async (run) => answer([await run.ask('q', text({ prompt: run.state.runId }))])
    const child = agent({ name: 'child', model: scriptedModel(), backend: ask })
    const both: Step = async (run) => {
      const signals = await Promise.all(['a', key].map((key) => runChild(run, { key, agent: child, input: 'Go' })))
      return answer(signals.map((signal) => (signal.type === 'answer' ? String(signal.output) : signal.type)))
    }
    const run = agent({ name: 'top', model: scriptedModel(), backend: both }).start('Go', { journal: memoryJournal() })

    await until(() => run.state.asks.length === 2)
    for (const { id } of run.state.asks) await run.reply(id, id.length > 3 ? 'long' : 'short')

    expect(await run.settled).toMatchObject({ output: 'short,long' })
  },
)

it('persists what a step has said and done before its child begins, or continues', async () => {
  const before: unknown[] = []
  const kept = memoryJournal()
  // The run is slow to write, and its child is not.
  const append: Journal['append'] = async (id, events, options) => {
    if (id === 'r') await new Promise((resolve) => setTimeout(resolve, 5))
    return kept.append(id, events, options)
  }
  let isStopped = false
  const model = scriptedModel(
    ...Array.from({ length: 2 }, () => () => {
      before.push((kept.read('r') as readonly { type: string }[]).map(({ type }) => type))
      return new Error('down')
    }),
  )
  const below = agent({ name: 'helper', model })
  const backend: Step = async (run) => {
    if (isStopped) run.emit({ type: 'noted', key: 'again', value: true })
    return runChild(run, { key: 'child', agent: below, input: 'Go' })
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', {
    id: 'r',
    journal: { ...kept, append },
  })
  await run.settled
  isStopped = true

  run.resume()
  await run.settled

  const first = ['started', 'said', 'noted']
  expect(before).toEqual([first, [...first, 'noted', 'settled', 'resumed', 'noted']])
})

it('writes nothing more for the child of a tool', async () => {
  const kept = memoryJournal()
  const writes: string[] = []
  const append: Journal['append'] = (id, events, options) => {
    writes.push(`${id}: ${events.map(({ type }) => type)}`)
    return kept.append(id, events, options)
  }
  const below = agent({ name: 'helper', model: scriptedModel('Done.') })
  const help = agentTool(below, { description: 'Helps.' })
  const a = agent({ name: 'a', model: scriptedModel(call('help', task), 'Done.'), tools: { help } })

  await a.start('Go', { id: 'r', journal: { ...kept, append } }).settled

  expect(writes).toEqual([
    'r: started,said',
    'r: thought,claimed',
    'r/1/tool/0: started,said',
    'r/1/tool/0: thought',
    'r/1/tool/0: settled',
    'r: noted,observed',
    'r: thought',
    'r: settled',
  ])
})

it('gives a step the failure of a child, which continues when the step runs again', async () => {
  const below = agent({ name: 'helper', model: scriptedModel(new Error('down'), 'Done.') })
  const backend: Step = async (run) => runChild(run, { key: 'child', agent: below, input: 'Go' })
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: 'down' } })
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.usage).toMatchObject({ inputTokens: 10, unpricedTurns: 2 })
})

it('has effects of its own, and counts for the limits of its parent', async () => {
  const keys: string[] = []
  const perform: Host['perform'] = ({ key }, body) => {
    keys.push(key)
    return body()
  }
  const host: Host = { ...localHost, perform }
  const below = agent({ name: 'helper', model: scriptedModel({ text: 'Done.', usage: { input: 900, output: 100 } }) })
  const tools = { help: agentTool(below, { description: 'Helps.' }) }
  const backend = reasonAct({ limits: { tokens: 1_000 } })
  const run = agent({ name: 'a', model: scriptedModel(call('help', task), 'Done.'), tools, backend }).start('Go', {
    host,
  })

  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 1_015 })
  expect(keys).toEqual(['1/model', '1/tool/0>1/model'])
})

it('starts no child once the run is stopped', async () => {
  const below = agent({ name: 'helper', model: scriptedModel() })
  const journal = memoryJournal()
  const backend: Step = async (run) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return runChild(run, { key: 'child', agent: below, input: 'Go' })
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { id: 'r', journal })

  await run.stop()

  expect(await journal.read('r/child')).toEqual([])
})

it('resumes no child once the run is stopped, also while the log of the child is read', async () => {
  const journal = memoryJournal()
  const silent = { ...scriptedModel(), doStream: () => new Promise<never>(() => {}) }
  const made = (model: LanguageModelV4, turn: ScriptedTurn) => {
    const helper = agentTool(agent({ name: 'helper', model }), { description: 'Helps.' })
    return agent({ name: 'a', model: scriptedModel(turn), tools: { helper } })
  }
  made(silent, call('helper', task)).start('Go', { id: 'r', journal })
  await expect.poll(() => journal.read('r/1/tool/0')).toHaveLength(2)
  let [noteRead, release] = [() => {}, () => {}]
  const reading = new Promise<void>((resolve) => (noteRead = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const read: Journal['read'] = async (id, from) => {
    if (id === 'r/1/tool/0') noteRead()
    if (id === 'r/1/tool/0') await released
    return journal.read(id, from)
  }
  const model = scriptedModel('Helped.')
  const run = await made(model, 'Done.').resume('r', { journal: { ...journal, read } })
  await reading

  const stopping = run.stop()
  release()
  await stopping

  expect(run.state.signal).toMatchObject({ type: 'stopped' })
  expect(model.calls).toEqual([])
  run.resume()
  await run.settled
  expect(model.calls).toHaveLength(1)
})

// A reply that comes before its tool is back is checked when the tool asks again. The id of the next question is no
// promise: it is a new one only if the child had recorded the reply.
it.each([
  ['before its tool', /^1\/tool\/0~1>/, (journal: Journal) => recorded(journal)],
  ['as the child is back', /^1\/tool\/0(~1)?>/, () => undefined],
])('asks again what was answered wrongly %s', async (_, id, back) => {
  const age = form({ prompt: 'Age?', schema: z.object({ age: z.number() }) })
  const made = (ready: () => unknown = () => undefined) => {
    const typed = tool({
      inputSchema,
      execute: async (__, { ask }) => {
        await ready()
        return ask(age)
      },
    })
    const model = scriptedModel(...onceThen(call('typed'), () => 'Helped.'))
    const help = agentTool(agent({ name: 'helper', model, tools: { typed } }), { description: 'Helps.' })
    return agent({ name: 'a', model: scriptedModel(...onceThen(call('help', task), () => 'Done.')), tools: { help } })
  }
  const journal = memoryJournal()
  await made().start('Go', { id: 'r', journal }).settled
  const later = new Promise((resolve) => setTimeout(resolve, 10))
  const read: Journal['read'] = (id) => (id === 'r' ? journal.read(id) : later.then(() => journal.read(id)))
  const run = await made(() => back(journal)).resume('r', { journal: { ...journal, read } })

  await run.reply('1/tool/0>1/tool/0/ask/0', { age: 'old' })

  const asks = [{ id: expect.stringMatching(id), kind: 'form', prompt: 'Age?' }]
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks })
  await run.reply(run.state.asks[0]?.id ?? '', { age: 3 })
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

/** Resolves when the child has the reply in its log. */
const recorded = (journal: Journal): Promise<unknown> =>
  until(async () => (await journal.read('r/1/tool/0')).some(({ type }) => type === 'replied'))

it('waits for a journal that cannot be read, and does not blame the tool', async () => {
  const kept = memoryJournal()
  let broken = true
  const read: Journal['read'] = (id, from) => {
    if (broken && id !== 'r') throw new Error('locked')
    return kept.read(id, from)
  }
  const helper = agent({ name: 'helper', model: scriptedModel('Helped.') })
  const tools = { help: agentTool(helper, { description: 'Helps.' }) }
  const boss = agent({ name: 'boss', model: scriptedModel(call('help', task), 'Done.'), tools })
  const run = boss.start('Go', { id: 'r', journal: { ...kept, read }, observers: [laws()] })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed', retryable: true } })

  broken = false
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result: { value: 'Helped.' } }] })
})

it('asks once what a child asks again in other words, and withdraws it no more', async () => {
  /** Returns the journal that a dying page leaves: the runs of one journal, each up to the state in the other. */
  const crashed = async (parents: Journal, children: Journal): Promise<Journal> => {
    const copy = memoryJournal()
    await copy.append('r', await parents.read('r'))
    await copy.append('r/1/tool/0', await children.read('r/1/tool/0'))
    return copy
  }
  const describe = (currency: string) => {
    const pay = tool({
      inputSchema: z.object({ currency: z.string().default(currency) }),
      approve: approval(),
      execute: () => 'paid',
    })
    const look = tool({
      inputSchema,
      effect: 'readOnly',
      async execute(_, { ask, once }) {
        const where = await ask(text({ prompt: 'Where?' }))
        return once('found', () => where)
      },
    })
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel(
        ...onceThen(
          {
            calls: [
              { name: 'look', input: {} },
              { name: 'pay', input: {} },
            ],
          },
          () => 'Paid.',
        ),
      ),
      tools: { pay, look },
    })
    const work = agentTool(clerk, { description: 'Pays.' })
    return agent({ name: 'a', model: scriptedModel(...onceThen(call('work', task), () => 'Done.')), tools: { work } })
  }
  const approvals = ({ state }: Run) => state.asks.flatMap((ask) => (ask.kind === 'approval' ? [ask] : []))
  const first = memoryJournal()
  const run = describe('EUR').start('Go', { id: 'r', journal: first })
  await expect.poll(() => run.state.asks.length).toBe(2)
  const before = await crashed(first, first)
  const value = { approved: true }
  const reply = { type: 'replied', ask: approvals(run)[0]?.id ?? '', value, at: 0, iteration: 1 } as const
  await before.append('r', [{ ...reply, seq: run.state.seq }])
  const second = await crashed(before, before)
  const other = await describe('CHF').resume('r', { journal: second })
  await expect.poll(() => approvals(other).map(({ input }) => input)).toEqual([{ currency: 'CHF' }])
  const third = await crashed(second, first)

  const back = await describe('EUR').resume('r', { journal: third })
  await expect.poll(() => approvals(back).map(({ input }) => input)).toEqual([{ currency: 'EUR' }])
  const [question] = back.state.asks.filter(({ kind }) => kind === 'text')
  await back.reply(question?.id ?? '', 'here')
  await expect.poll(async () => (await third.read('r/1/tool/0')).some(({ type }) => type === 'observed')).toBe(true)

  const asked = (await third.read('r')).filter((event) => event.type === 'asked' && event.ask.kind === 'approval')
  expect(asked).toHaveLength(3)
  expect(approvals(back).map(({ input }) => input)).toEqual([{ currency: 'EUR' }])
  await back.reply(approvals(back)[0]?.id ?? '', value)
  expect(await back.settled).toMatchObject({ output: 'Done.' })
})

it('waits for a child that still writes when the run is resumed, and takes nothing from it', async () => {
  const [kept, host] = [memoryJournal(), manualHost()]
  let release = (): void => {}
  let isHeld = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const append: Journal['append'] = async (id, events, options) => {
    if (id === 'r/1/tool/0' && events.some(({ type }) => type === 'observed')) {
      isHeld()
      await held
    }
    await kept.append(id, events, options)
  }
  const looked: number[] = []
  const look = tool({ inputSchema, execute: () => looked.push(1) })
  const clerk = agent({ name: 'clerk', model: scriptedModel(call('look'), 'Seen.'), tools: { look } })
  const work = agentTool(clerk, { description: 'Works.' })
  const model = scriptedModel(call('work', task), 'Done.')
  const journal = { ...kept, append }
  const run = agent({ name: 'a', model, tools: { work } }).start('Go', { id: 'r', journal, host })
  await slow
  const stopping = run.stop()
  await host.advance(6_000)
  await stopping
  expect(await run.settled).toMatchObject({ type: 'stopped' })

  run.resume()
  await host.advance(1)
  release()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(looked).toEqual([1])
  const events = await kept.read('r/1/tool/0')
  expect(events.filter(({ type }) => type === 'asked')).toEqual([])
})

it('writes what a child still has before another object of it reads the log', async () => {
  const kept = memoryJournal()
  let isBroken = true
  const append: Journal['append'] = (id, events, options) => {
    if (isBroken && id !== 'r' && events.some(({ type }) => type === 'observed')) throw new Error('The disk failed.')
    return kept.append(id, events, options)
  }
  const looked: number[] = []
  const look = tool({ inputSchema, execute: () => looked.push(1) })
  const clerk = agent({ name: 'clerk', model: scriptedModel(call('look'), 'Seen.'), tools: { look } })
  const work = agentTool(clerk, { description: 'Works.' })
  const boss = agent({ name: 'boss', model: scriptedModel(call('work', task), 'Done.'), tools: { work } })
  const run = boss.start('Go', { id: 'r', journal: { ...kept, append } })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  expect(await kept.read('r/1/tool/0')).not.toContainEqual(expect.objectContaining({ type: 'observed' }))

  isBroken = false
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(looked).toEqual([1])
})

it('reports no problem if a child still works when the stopped run no longer waits for it', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  onTestFinished(() => void vi.unstubAllGlobals())
  const [kept, host] = [memoryJournal(), manualHost()]
  const [begin, proceed] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const reading = new Promise<void>((resolve) => void begin.mockImplementation(resolve))
  const read = new Promise<void>((resolve) => void proceed.mockImplementation(resolve))
  const look = tool({ inputSchema, execute: (_, { ask }) => ask(text({ prompt: 'Where?' })) })
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel(...onceThen(call('look'), () => 'Seen.')),
    tools: { look },
  })
  const work = agentTool(clerk, { description: 'Works.' })
  const boss = agent({
    name: 'boss',
    model: scriptedModel(...onceThen(call('work', task), () => 'Done.')),
    tools: { work },
  })
  await boss.start('Go', { id: 'r', journal: kept, host }).settled
  const slowly: Journal['read'] = async (id, from) => {
    if (id !== 'r') {
      begin()
      await read
    }
    return kept.read(id, from)
  }
  const run = await boss.resume('r', { journal: { ...kept, read: slowly }, host })
  await reading
  const stopping = run.stop()
  await host.advance(6_000)
  await stopping

  proceed()
  await expect.poll(async () => (await kept.read('r/1/tool/0')).at(-1)).toMatchObject({ signal: { type: 'stopped' } })

  expect(reported).toEqual([])
})

it.each([undefined, {}])('says that runChild() needs an agent, and not %j', async (none) => {
  const backend: Step = async (run) => runChild(run, { key: 'c', agent: none as never, input: 'Go' })

  expect(await agent({ name: 'a', model: scriptedModel(), backend }).start('Go').settled).toMatchObject({
    error: { code: 'options_invalid', message: expect.stringContaining('runChild()') },
  })
})
