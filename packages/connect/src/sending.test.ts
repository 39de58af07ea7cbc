import { AgentError, agent, type Event, type Run, type UserContent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { messagesOf } from '@interleave/core/observe'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { Request } from './remoteRuns.ts'
import { RemoteRuns } from './remoteRuns.ts'
import { acrossTabs } from './tabs/index.ts'
import { workerAgent, workerHost } from './worker/index.ts'

const users = (run: Run) =>
  messagesOf(run).flatMap((message) => (message.type === 'user' ? [`${message.text} ${message.state}`] : []))
const place = { at: 1, iteration: 0 }
const started: Event = { ...place, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
const said = (seq: number, content: UserContent, key?: string): Event => ({
  ...{ ...place, seq, type: 'said', by: 'user', content },
  ...(key !== undefined && { key }),
})
const answered: Event = {
  ...{ ...place, seq: 2, type: 'settled' },
  signal: { type: 'answer', output: 'Done.', reason: 'completed' },
}

interface Sent {
  readonly request: Request
  readonly signal: AbortSignal | undefined
  done(length: number): void
  fail(error: unknown): void
}

/** A page, and a host that answers each request when the test says so. */
function setUp() {
  const host = manualHost()
  const sent: Sent[] = []
  const runs = new RemoteRuns({
    agent: 'a',
    host,
    slow: { afterMs: 2_000, error: new AgentError('worker_failed', 'No answer.', { retryable: true }) },
    transport: {
      cancelRequests: () => {},
      sendRequest: (request, signal) =>
        new Promise((done, fail) => {
          if (request.type === 'settle' || request.type === 'leave') return done(0)
          sent.push({ request, signal, done, fail })
          signal?.addEventListener('abort', () => fail(signal.reason))
        }),
    },
  })
  const start = () => runs.startRun('Go', { id: 'r' })
  /** A run that has answered. */
  async function settled() {
    const run = start()
    runs.receiveEvents('r', [started, said(1, 'Go'), answered])
    sent[0]?.done(3)
    await run.settled
    return run
  }
  return { host, runs, sent, start, settled }
}

it('shows a start at once, next to the log, until the log shows it', async () => {
  const { runs, start } = setUp()

  const run = start()
  expect([users(run), run.log, run.state.seq, run.state.agent]).toEqual([['Go sending'], [], 0, 'a'])

  runs.receiveEvents('r', [started])
  expect(users(run)).toEqual(['Go sending'])
  runs.receiveEvents('r', [said(1, 'Go')])
  expect(users(run)).toEqual(['Go sent'])
  expect([run.state.sending, run.log.length]).toEqual([undefined, 2])
})

it('shows what is said at once, the run at work, and both as before if it is refused', async () => {
  const { settled, sent } = setUp()
  const run = await settled()
  const before = run.state

  const saying = run.say('And?')
  expect([users(run), run.state.signal, run.log.length]).toEqual([['Go sent', 'And? sending'], undefined, 3])
  sent[1]?.fail(new AgentError('too_large', 'Too large.'))

  await expect(saying).rejects.toMatchObject({ code: 'too_large' })
  expect(run.state).toBe(before)
  expect(users(run)).toEqual(['Go sent'])
})

it('shows a message once, where the log has it before the answer and where the answer comes first', async () => {
  const { settled, runs, sent } = setUp()
  const run = await settled()

  const first = run.say('One', { key: 'one' })
  runs.receiveEvents('r', [said(3, 'One', 'one')])
  expect(users(run)).toEqual(['Go sent', 'One sent'])
  sent[1]?.done(4)
  await first

  const second = run.say('Two', { key: 'two' })
  sent[2]?.done(5)
  await Promise.resolve()
  expect(users(run).at(-1)).toBe('Two sending')
  runs.receiveEvents('r', [said(4, 'Two', 'two')])
  await second
  expect(users(run).at(-1)).toBe('Two sent')
})

it.each(['fails', 'is closed'])('leaves nothing that is being sent when the run %s', async (end) => {
  const { settled, runs } = setUp()
  const run = await settled()
  const saying = run.say('And?').catch(() => {})
  void saying

  if (end === 'fails') runs.failRun('r', new Error('gone'))
  else run.close()

  expect([users(run), run.state.sending]).toEqual([['Go sent'], undefined])
  expect(JSON.stringify(run.log)).not.toContain('And?')
})

it('says within two seconds that there is no answer, keeps the message, and sends it again with the same key', async () => {
  const { host, settled, runs, sent } = setUp()
  const run = await settled()
  const saying = run.say('And?')

  await host.advance(2_000)
  expect(run.connection).toMatchObject({ type: 'waiting', error: { code: 'worker_failed' } })
  expect(users(run).at(-1)).toBe('And? sending')

  const [message] = run.state.sending ?? []
  const again = run.say(message?.content ?? '', { key: message?.key ?? '' })
  expect(users(run)).toEqual(['Go sent', 'And? sending'])
  expect(sent[2]?.request).toEqual(sent[1]?.request)
  for (const { done } of sent.slice(1)) done(4)
  runs.receiveEvents('r', [said(3, 'And?', message?.key)])
  await Promise.all([saying, again])
  expect(users(run)).toEqual(['Go sent', 'And? sent'])
  expect(run.connection).toEqual({ type: 'connected' })
})

it('takes a message back that is withdrawn, and shows it where the host had it already', async () => {
  const { settled, runs, sent } = setUp()
  const run = await settled()
  const saying = run.say('And?', { key: 'and' })

  run.withdraw('and')

  await expect(saying).rejects.toMatchObject({ code: 'stopped' })
  expect(sent[1]?.signal?.aborted).toBe(true)
  expect([users(run), run.state.signal?.type]).toEqual([['Go sent'], 'answer'])
  expect(await run.settled).toMatchObject({ type: 'answer' })
  runs.receiveEvents('r', [said(3, 'And?', 'and')])
  expect(users(run)).toEqual(['Go sent', 'And? sent'])
})

it('hides a message while its withdrawal is being sent', async () => {
  const { settled, runs, sent } = setUp()
  const run = await settled()
  runs.receiveEvents('r', [said(3, 'One', 'one')])

  const withdrawing = run.say('', { replaces: 3 })

  expect(users(run)).toEqual(['Go sent'])
  sent[1]?.fail(new AgentError('run_busy', 'The model has it.'))
  await expect(withdrawing).rejects.toMatchObject({ code: 'run_busy' })
  expect(users(run)).toEqual(['Go sent', 'One sent'])
})

it('shows messages to a worker that does not answer yet, and sends no withdrawn one when it does', async () => {
  const host = manualHost()
  const { port1, port2 } = new MessageChannel()
  const run = workerAgent(port1, 'a', { host }).start('Go')
  const kept = run.say('One')
  const withdrawn = run.say('Two', { key: 'two' })
  expect(users(run)).toEqual(['Go sending', 'One sending', 'Two sending'])

  await host.advance(2_000)
  expect(run.connection).toMatchObject({ type: 'waiting', error: { message: expect.stringContaining('2 seconds') } })
  run.withdraw('two')
  await expect(withdrawn).rejects.toMatchObject({ code: 'stopped' })
  workerHost([agent({ name: 'a', model: scriptedModel('Done.', 'Done again.') })]).connect(port2)
  await host.advance(30_000)
  await kept
  await run.settled

  expect(users(run)).toEqual(['Go sent', 'One sent'])
  expect([run.connection, run.state.sending]).toEqual([{ type: 'connected' }, undefined])
  port1.close()
})

it('shows at once in another tab what is said there, and tells no other tab before the journal has it', async () => {
  const browser = fakeBrowser(memoryJournal(), () => new Promise((resolve) => setTimeout(resolve)))
  const open = () => {
    const { journal, origin } = browser.openTab()
    return acrossTabs(agent({ name: 'a', model: scriptedModel('One.', 'Two.') }), { journal, origin })
  }
  const owner = open().start('Go', { id: 'r' })
  await owner.settled
  const other = await open().resume('r')

  const saying = other.say('And?')

  expect(users(other)).toEqual(['Go sent', 'And? sending'])
  expect(users(owner)).toEqual(['Go sent'])
  await saying
  expect(await other.settled).toMatchObject({ output: 'Two.' })
  expect(users(other)).toEqual(['Go sent', 'And? sent'])
  await expect.poll(() => users(owner)).toEqual(['Go sent', 'And? sent'])
})
