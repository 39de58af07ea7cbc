import { collect } from '@interleave/test-kit/collect'
import { laws } from '@interleave/test-kit/laws'
import { expectTrace, manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, answer, confirm, type Host, localHost, type Run } from '../index.ts'
import { type Journal, memoryJournal, savedRun } from '../journal/index.ts'
import { eventsOf } from '../log/runEvents.ts'
import { agentTool, delegate, type ExternalAgent, type ExternalEvent, type ExternalTurn, route } from './index.ts'

type Told = ExternalTurn & { readonly said: string }

/** An external agent that does what the function says, and the turns that it was given. */
function external(work: (turn: Told) => AsyncIterable<unknown>): ExternalAgent & { readonly turns: ExternalTurn[] } {
  const turns: ExternalTurn[] = []
  return {
    name: 'coder',
    turns,
    run(turn) {
      turns.push(turn)
      return work({ ...turn, said: JSON.stringify(turn.news) }) as AsyncIterable<ExternalEvent>
    },
  }
}
const coding = (work: (turn: Told) => AsyncIterable<unknown>): Agent<string> =>
  agent({ name: 'dev', backend: delegate(external(work)) })

/** Reads a file, asks whether it may edit it, and says what it did. */
async function* editing({ ask, sessionId }: Told): AsyncGenerator<ExternalEvent> {
  if (sessionId === undefined) yield { type: 'session', id: 's1' }
  yield { type: 'text', delta: 'I look. ' }
  yield { type: 'toolCall', id: 'c1', name: 'read', input: { file: 'a.ts' } }
  yield { type: 'toolResult', id: 'c1', output: 'const a = 1' }
  const may = await ask('edit', confirm({ prompt: 'Edit a.ts?' }))
  yield { type: 'usage', input: 100, output: 20, cachedInput: 60 }
  yield { type: 'text', delta: may ? 'Edited.' : 'Left.' }
  yield { type: 'done' }
}

async function replyAll(run: Run): Promise<unknown> {
  for (let signal = await run.settled; ; signal = await run.settled) {
    if (signal.type !== 'inputNeeded') return signal
    for (const ask of signal.asks) await run.reply(ask.id, true)
  }
}
/** Does not wait before it tries again. */
const hasty: Host = { ...localHost, timer: (ms, callback) => localHost.timer(ms === 1_000 ? 1 : ms, callback) }
const listOf = (run: Run) => collect(eventsOf(run))

it('tells what an external agent does as events of the run, and asks its questions', async () => {
  const run = coding(editing).start('Fix it', { host: manualHost(), observers: [laws()] })
  const shown: string[] = []
  run.subscribe((event) => event.type === 'delta' && shown.push(event.delta || (event.tool ?? '')))

  expect(await replyAll(run)).toEqual({ type: 'answer', output: 'I look. Edited.', reason: 'text' })

  expectTrace(
    await listOf(run),
    `
    0 started dev
    0 said user "Fix it"
    0 noted external/coder/session {"id":"s1","turn":1}
    0 asked 1/external/coder/edit confirm "Edit a.ts?"
    0 settled inputNeeded 1/external/coder/edit
    0 replied 1/external/coder/edit true
    1 thought "I look. Edited." read({"file":"a.ts"})
    1 settled answer "I look. Edited."
    `,
  )
  expect(shown).toEqual(['I look. ', 'read', 'Edited.'])
  expect(run.state.history.flat()[1]).toMatchObject({
    calls: [],
    model: { provider: 'external', modelId: 'coder' },
    parts: [
      { type: 'text', text: 'I look. ' },
      { type: 'tool-call', toolName: 'read', providerExecuted: true },
      { type: 'tool-result', result: 'const a = 1' },
      { type: 'text', text: 'Edited.' },
    ],
  })
  expect(run.state.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 60, outputTokens: 20 })
})

it('is given what is new, in the session that it told about', async () => {
  const coder = external(async function* ({ sessionId, said }) {
    yield { type: 'session', id: sessionId ?? 's1' }
    yield { type: 'text', delta: `Heard ${said.length}.` }
    yield { type: 'done' }
  })
  const run = agent({ name: 'dev', instructions: 'Be kind.', backend: delegate(coder) }).start('One')
  await run.settled
  await run.say('Two')
  await run.settled

  const [first, second] = coder.turns
  expect(first).toMatchObject({ instructions: 'Be kind.', resumed: false, news: [{ role: 'user' }] })
  expect(first).not.toHaveProperty('sessionId')
  expect(second).toMatchObject({ sessionId: 's1', resumed: false, messages: { length: 3 } })
  expect(second?.news).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Two' }] }])
})

/** A journal that ends after so many events, as if the place had crashed. */
async function cut(events: Awaited<ReturnType<Journal['read']>>, length: number): Promise<Journal> {
  const journal = memoryJournal()
  await journal.append('r', events.slice(0, length))
  return journal
}

it('continues from a crash after any event, in the same session', async () => {
  const whole = memoryJournal()
  await replyAll(coding(editing).start('Fix it', { id: 'r', journal: whole }))
  const events = await whole.read('r')

  for (let length = 2; length < events.length; length++) {
    const coder = external(editing)
    const run = await agent({ name: 'dev', backend: delegate(coder) }).resume('r', {
      journal: await cut(events, length),
    })

    expect(await replyAll(run), `cut after ${length}`).toMatchObject({ output: 'I look. Edited.' })

    expect(run.state.asks).toEqual([])
    if (length > 2 && length < 7) expect(coder.turns).toMatchObject([{ sessionId: 's1', resumed: true }])
  }
})

it('continues from a log that was kept while it asked', async () => {
  const first = coding(editing).start('Fix it')
  await first.settled

  const run = await coding(editing).resume(savedRun(JSON.parse(JSON.stringify(first.log))))

  expect(await replyAll(run)).toMatchObject({ output: 'I look. Edited.' })
})

it('withdraws a question that it does not ask again', async () => {
  const first = coding(editing).start('Fix it')
  await first.settled
  const silent = coding(async function* () {
    yield { type: 'text', delta: 'Never mind.' }
    yield { type: 'done' }
  })

  const run = await silent.resume(savedRun(first.log))
  while (run.state.signal?.type !== 'answer') await new Promise((resolve) => setTimeout(resolve, 1))

  expect(run.state).toMatchObject({ asks: [], signal: { output: 'Never mind.' } })
})

it('is stopped at any event, and continues in its session', async () => {
  for (let count = 1; count < 14; count++) {
    const coder = external(editing)
    const run = agent({ name: 'dev', backend: delegate(coder) }).start('Fix it', { observers: [laws()] })
    let told = 0
    let stopping: Promise<void> | undefined
    run.subscribe(() => {
      if (++told === count) stopping = run.stop()
    })
    await replyAll(run).catch(() => {})
    await stopping
    if (run.state.signal?.type === 'stopped') run.resume()

    expect(await replyAll(run), `stopped after ${count}`).toMatchObject({ output: 'I look. Edited.' })
  }
})

it('aborts what does not listen', async () => {
  const coder = external(async function* () {
    yield { type: 'text', delta: 'I begin.' }
    await new Promise(() => {})
  })
  const run = agent({ name: 'dev', backend: delegate(coder) }).start('Fix it')
  await new Promise((resolve) => setTimeout(resolve, 5))
  await run.stop()

  expect(run.state).toMatchObject({ signal: { type: 'stopped' } })
  expect(coder.turns[0]?.abortSignal.aborted).toBe(true)
})

it('gives up what sends nothing, but not while a user is asked', async () => {
  const host = manualHost()
  const coder = external(async function* ({ ask }) {
    await ask('go', confirm({ prompt: 'Go?' }))
    await new Promise(() => {})
    yield { type: 'done' }
  })
  const run = agent({ name: 'dev', backend: delegate(coder, { idleMs: 1_000 }) }).start('Fix it', { host })
  await host.advance(10_000)
  expect(run.state.signal).toMatchObject({ type: 'inputNeeded' })

  await run.reply(run.state.asks[0]?.id ?? '', true)
  await host.advance(2_000)

  expect(run.state.signal).toMatchObject({ type: 'failed', error: { code: 'model_idle' } })
})

const circular: unknown[] = []
circular.push(circular)

it.each<[string, readonly unknown[], object]>([
  ['no object', [null], { code: 'model_malformed', message: /unknown type undefined/ }],
  ['an unknown type', [{ type: 'constructor' }], { code: 'model_malformed', message: /"constructor"/ }],
  ['a missing field', [{ type: 'text' }], { code: 'model_malformed', message: /"text" with a wrong or missing/ }],
  ['a wrong count', [{ type: 'usage', input: -1, output: 0 }], { code: 'model_malformed', message: /"input"/ }],
  ['no plain data', [{ type: 'toolCall', id: 'a', name: 'b', input: circular }], { code: 'model_malformed' }],
  ['a result of no call', [{ type: 'toolResult', id: 'x', output: 1 }], { code: 'model_malformed', message: /"x"/ }],
  [
    'its own error',
    [{ type: 'error', message: 'no disk', retryable: true }],
    { code: 'model_failed', message: /no disk/ },
  ],
  ['an error without a message', [{ type: 'error', message: '' }], { message: /without a reason/ }],
  ['an early end', [{ type: 'text', delta: 'I' }], { code: 'model_incomplete' }],
  ['too much', [{ type: 'text', delta: 'x'.repeat(101) }, { type: 'done' }], { code: 'model_too_large' }],
])('fails on %s', async (_, events, { message = /./, ...error }: { message?: RegExp; code?: string }) => {
  const coder = external(async function* () {
    yield* events
  })
  const run = agent({ name: 'dev', backend: delegate(coder, { maxCharacters: 100 }) }).start('Fix it')

  const expected = { ...error, message: expect.stringMatching(message) }
  expect(await run.settled).toMatchObject({ type: 'failed', error: expected })
})

it('gives a typed answer, and sends back one that does not fit', async () => {
  const output = z.object({ files: z.number() })
  const answers = [{ output: { files: 'many' } }, { output: { files: 2 } }]
  const coder = external(async function* () {
    yield { type: 'done', ...answers.shift() }
  })
  const run = agent({ name: 'dev', output: answer(output), backend: delegate(coder) }).start('Count')

  expect(await run.settled).toEqual({ type: 'answer', output: { files: 2 }, reason: 'finalAnswer' })
  expect(coder.turns[0]?.outputSchema).toMatchObject({ type: 'object' })
  expect(JSON.stringify(coder.turns[1]?.news)).toContain('The answer does not fit')
})

it('works for other agents, as their tool and by a router', async () => {
  const dev = coding(editing)
  const tools = { dev: agentTool(dev, { description: 'Codes.' }) }
  const call = { calls: [{ name: 'dev', input: { task: 'Fix it' } }] }
  const boss = agent({ name: 'boss', model: scriptedModel(call, 'Done.'), tools }).start('Go', { id: 'r' })
  await boss.settled
  expect(boss.state.asks).toMatchObject([{ id: '1/tool/0>1/external/coder/edit', from: { agent: 'dev' } }])
  expect(await replyAll(boss)).toMatchObject({ output: 'Done.' })

  const decide = (name: string) => ({ calls: [{ name: 'route_to', input: { agent: name, reason: '' } }] })
  const backend = route({ agents: { dev } })
  const desk = agent({ name: 'desk', model: scriptedModel(decide('dev'), decide('end')), backend }).start('Go')
  expect(await replyAll(desk)).toMatchObject({ output: 'I look. Edited.' })
})

it('keeps two runs apart', async () => {
  const dev = coding(editing)
  const runs = [dev.start('One', { observers: [laws()] }), dev.start('Two', { observers: [laws()] })]

  expect(await Promise.all(runs.map(replyAll))).toMatchObject([{ type: 'answer' }, { type: 'answer' }])
})

it('refuses what cannot work', async () => {
  expect(() => delegate({ name: 'coder' } as ExternalAgent)).toThrow('{ name, run }')
  expect(() => delegate(external(editing), { idleMs: 0 })).toThrow('above 0')

  const tools = { look: { inputSchema: z.object({}), execute: () => 1 } }
  const run = agent({ name: 'dev', tools, backend: delegate(external(editing)) }).start('Go')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('"look"') } })
})

it('fails, and can be asked again, when an external agent cannot be started', async () => {
  let works = false
  const coder: ExternalAgent = {
    name: 'coder',
    run(turn) {
      if (!works) throw new Error('not installed')
      return editing({ ...turn, said: '' })
    },
  }
  const run = agent({ name: 'dev', backend: delegate(coder) }).start('Fix it')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: 'not installed' } })

  works = true
  run.resume()

  expect(await replyAll(run)).toMatchObject({ output: 'I look. Edited.' })
})

it.each([
  ['nothing', undefined],
  ['a promise', Promise.resolve(editing)],
  ['an iterator of nothing', { [Symbol.asyncIterator]: () => ({}) }],
])('says what an external agent must return, which returned %s', async (_, returned) => {
  const coder = { name: 'coder', run: () => returned } as unknown as ExternalAgent
  const run = agent({ name: 'dev', backend: delegate(coder) }).start('Fix it')

  const message = expect.stringContaining('`run` of the external agent "coder" must return an async iterable')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid', message } })
})

it('takes events of an iterator that is not async', async () => {
  const results = [{ value: { type: 'text', delta: 'Hi.' } }, { value: { type: 'done' } }]
  const events = { [Symbol.asyncIterator]: () => ({ next: () => results.shift() }) }

  expect(await coding(() => events as never).start('Fix it').settled).toMatchObject({ output: 'Hi.' })
})

it('reports each message once, though it comes while a turn is begun again', async () => {
  const told: string[] = []
  async function* flaky({ said }: Told): AsyncGenerator<ExternalEvent> {
    told.push(said)
    if (told.length > 1) return yield { type: 'done', output: 'Fine.' }
    await run.say('Two')
    yield { type: 'error', message: 'Busy.', retryable: true }
  }
  const backend = delegate(external(flaky), { retries: 1 })
  const run = agent({ name: 'dev', backend }).start('One', { host: hasty, observers: [laws()] })

  await run.settled
  expect(told.map((news) => news.match(/One|Two/g))).toEqual([['One'], ['One'], ['Two']])
})

it('lets an external agent ask nothing for a turn that is over', async () => {
  let ask: ExternalTurn['ask'] | undefined
  const run = coding(async function* (turn) {
    ask = turn.ask
    yield { type: 'done' }
  }).start('Go')
  await run.settled

  await expect(ask?.('late', confirm({ prompt: 'Late?' }))).rejects.toMatchObject({ code: 'stopped' })
})
