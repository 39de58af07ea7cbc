import { AgentError, localHost } from '@interleave/core'
import { expect, it } from 'vitest'
import { HttpTransport } from './httpTransport.ts'

/** Requests to a server that knows no run, with the signals that it gets. */
function setUp() {
  const signals: (AbortSignal | undefined)[] = []
  const paths: string[] = []
  const transport = new HttpTransport({
    agent: 'a',
    server: {
      async call(path, { signal } = {}) {
        paths.push(path)
        signals.push(signal)
        throw new AgentError('run_unknown', 'There is no such run.')
      },
      open: () => new Promise(() => {}),
      reportSlow: () => () => {},
    },
    host: localHost,
    client: {},
    listen: () => ({ onEvents() {}, onCall() {}, onLink() {}, onFailure() {}, onStream() {} }),
  })
  return { transport, signals, paths }
}

it.each([
  { type: 'attach', run: 'r' },
  { type: 'start', run: 'r', input: 'Go' },
  { type: 'command', run: 'r', command: { type: 'stop', reason: 'Enough.' } },
] as const)('keeps nothing of a run after a request that failed: $type', async (request) => {
  const { transport, signals } = setUp()
  await expect(transport.sendRequest(request)).rejects.toMatchObject({ code: 'run_unknown' })

  transport.cancelRequests('r', new Error('Closed.'))

  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
})

it('cancels a request under way', async () => {
  const { transport, signals } = setUp()
  const attaching = transport.sendRequest({ type: 'attach', run: 'r' })

  transport.cancelRequests('r', new Error('Closed.'))

  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  await expect(attaching).rejects.toMatchObject({ code: 'run_unknown' })
})

it('forks a run only once the server has the request that starts it', async () => {
  const { transport, paths } = setUp()
  const starting = transport.sendRequest({ type: 'start', run: 'r', input: 'Go' })

  const forking = transport.forkRun('r', { id: 'f' })
  const during = [...paths]
  await Promise.allSettled([starting, forking])

  expect([during, paths]).toEqual([['runs'], ['runs', 'runs/r/fork']])
})
