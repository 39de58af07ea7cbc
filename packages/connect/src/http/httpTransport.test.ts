import { AgentError, localHost } from '@interleave/core'
import { expect, it } from 'vitest'
import { HttpTransport } from './httpTransport.ts'

/** Requests to a server that knows no run, with the signals that it gets. */
function setUp() {
  const signals: (AbortSignal | undefined)[] = []
  const paths: string[] = []
  let streams = 0
  const transport = new HttpTransport({
    agent: 'a',
    server: {
      async call(path, { signal } = {}) {
        paths.push(path)
        signals.push(signal)
        throw new AgentError('run_unknown', 'There is no such run.')
      },
      open() {
        streams++
        return new Promise(() => {})
      },
      reportSlow: () => () => {},
    },
    host: localHost,
    client: {},
    listen: () => ({ onEvents() {}, onCall() {}, onConnection() {}, onLife() {}, onFailure() {}, onStream() {} }),
  })
  return { transport, signals, paths, streams: () => streams }
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

  expect([during, paths]).toEqual([['runs/r'], ['runs/r', 'runs/f/fork?of=r']])
})

it('opens no stream for a reply to a run that is closed while it starts', async () => {
  const { transport, streams } = setUp()
  const starting = transport.sendRequest({ type: 'start', run: 'r', input: 'Go' })
  const command = { type: 'reply', ask: 'q', value: true, after: 0 } as const
  const replying = transport.sendRequest({ type: 'command', run: 'r', command })

  transport.cancelRequests('r', new Error('Closed.'))

  await expect(replying).rejects.toThrow('Closed.')
  await expect(starting).rejects.toThrow()
  expect(streams()).toBe(0)
})
