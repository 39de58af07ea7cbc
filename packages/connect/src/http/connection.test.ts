import type { Event } from '@interleave/core'
import { AgentError, localHost } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { Connection, type ConnectionOptions } from './connection.ts'
import { type Frame, writeFrame } from './frame.ts'

const event = (seq: number): Event => ({ seq, at: seq + 100, iteration: 0, type: 'resumed' })
const kept = (...seqs: number[]): Frame[] => seqs.map((seq) => ({ name: 'kept', data: event(seq) }))
const host = { ...localHost, timer: (ms: number, callback: () => void) => localHost.timer(ms / 100, callback) }

/** A connection to a server that sends these streams one after the other. Resolves when it asks for one more. */
type Stream = string | Error | ReadableStream<Uint8Array>
const follow = (...streams: Stream[]) => followFrom(host, ...streams)
async function followFrom(host: ConnectionOptions['host'], ...streams: Stream[]) {
  const received: (Event | LiveEvent)[] = []
  const tokens: string[] = []
  const paths: string[] = []
  const connections: string[] = []
  const calls: string[] = []
  let failure: AgentError | undefined
  await new Promise<void>((resolve) => {
    const connection = new Connection({
      runId: 'r/1',
      host,
      client: {},
      server: {
        reportSlow: () => () => {},
        async open(path) {
          paths.push(path)
          const next = streams.shift()
          if (next instanceof Error) throw next
          if (next !== undefined) return new Response(next)
          connection.close()
          resolve()
          return new Response('')
        },
      },
      listener: {
        onEvents: (events) => received.push(...events),
        onToken: ({ ask, token }) => tokens.push(`${ask} ${token}`),
        onCall: ({ type }) => calls.push(type),
        onConnection: (connection) => connections.push(connection.type),
        onLife() {},
        onFailure(error) {
          failure = error
          resolve()
        },
      },
    })
  })
  return {
    seqs: received.map((each) => ('seq' in each ? each.seq : each.type)),
    tokens,
    paths,
    connections,
    calls,
    failure,
  }
}
const write = (...frames: Frame[]): string => frames.map(writeFrame).join('')

it('receives each event once, and continues after the last one', async () => {
  const { seqs, paths } = await follow(write(...kept(0, 1)), write(...kept(0, 1, 1, 2)), write(...kept(3)))

  expect(seqs).toEqual([0, 1, 2, 3])
  expect(paths.map((path) => path.split('?')[1])).toEqual(['from=0', 'from=2&at=101', 'from=3&at=102', 'from=4&at=103'])
  expect(paths[0]).toContain('runs/r%2F1/events')
})

it('says how it is with the server', async () => {
  const { connections } = await follow(new TypeError('Nobody is there.'), write(...kept(0)))

  expect(connections.slice(0, 6)).toEqual(['connecting', 'waiting', 'connecting', 'connected', 'waiting', 'connecting'])
})

it('counts silence by the interval that the server names, from its first message on', async () => {
  // Longer times than those of this server never pass.
  const timer = (ms: number, callback: () => void) => (ms < 6_000 ? localHost.timer(ms / 100, callback) : () => {})
  const hello = new TextEncoder().encode(write({ name: 'hello', data: { heartbeatMs: 1_000 } }))
  const silent = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(hello) })

  const { connections } = await followFrom({ ...localHost, timer }, silent)

  expect(connections).toContain('waiting')
})

it('takes no other messages of workers for calls', async () => {
  const error = { code: 'stopped', message: 'Over.', retryable: false }
  const messages = [{ type: 'more', call: 'c', parts: 1 }, { type: 'welcome' }, { type: 'abort', call: 'c', error }]

  const { calls } = await follow(messages.map((data) => `event: call\ndata: ${JSON.stringify(data)}\n\n`).join(''))

  expect(calls).toEqual(['abort'])
})

/** A stream that says this, and then breaks off. */
const broken = (text: string): ReadableStream<Uint8Array> => {
  let isSaid = false
  return new ReadableStream({
    pull(controller) {
      if (isSaid) controller.error(new TypeError('network error'))
      else controller.enqueue(new TextEncoder().encode(text))
      isSaid = true
    },
  })
}

/** Returns the waits between these streams. Each look at the clock is this much later. */
async function waitsOf(lookMs: number, streams: readonly Stream[]): Promise<readonly number[]> {
  const waits: number[] = []
  let now = 0
  const timer = (ms: number, callback: () => void) => {
    // Nothing comes too late.
    if (ms === 30_000 || ms === 6_000) return () => {}
    waits.push(ms)
    return localHost.timer(0, callback)
  }
  await followFrom({ newId: () => '', now: () => (now += lookMs), timer }, ...streams)
  return waits
}

it('waits longer each time for a stream that brings nothing', async () => {
  const quiet = Array.from({ length: 7 }, () => ':\n\n')

  expect(await waitsOf(100, quiet)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
})

it('reopens a stream at once if it brought events or lasted long', async () => {
  const seqs = [0, 1, 2, 3, 4, 5, 6]

  const long = await waitsOf(
    600_000,
    seqs.map(() => ':\n\n'),
  )
  const telling = await waitsOf(
    100,
    seqs.map((seq) => broken(write(...kept(seq)))),
  )

  expect(long).toEqual(seqs.map(() => 125))
  expect(telling).toEqual(seqs.map(() => 125))
})

it('opens no stream while the page is about to be left, until it seems to stay', async () => {
  const waits: number[] = []
  let leave = (): void => {}
  const timer = (ms: number, callback: () => void) => {
    if (ms === 30_000 || ms === 6_000) return () => {}
    waits.push(ms)
    return localHost.timer(0, callback)
  }
  const onUnload = (callback: () => void) => {
    leave = callback
    return () => {
      leave = () => {}
    }
  }
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    leave()
    controller.error(new TypeError('Load failed'))
  }
  // It is read only by the connection.
  const left = new ReadableStream({ pull }, { highWaterMark: 0 })

  const { paths } = await followFrom({ ...localHost, newId: () => '', timer, onUnload }, left)

  expect(waits).toContain(2_000)
  expect(paths).toHaveLength(2)
})

it('asks again for what is missing', async () => {
  const { seqs, paths } = await follow(write(...kept(0, 2)), write(...kept(1, 2)))

  expect(seqs).toEqual([0, 1, 2])
  expect(paths[1]).toContain('from=1')
})

it('starts again if it had events that were never durable', async () => {
  const rewound: Frame = { name: 'live', data: [{ type: 'rewound', to: 0 }] }

  const { seqs } = await follow(write(...kept(0, 1)), write(rewound, ...kept(0, 1, 2)))

  expect(seqs).toEqual([0, 1, 'rewound', 0, 1, 2])
})

it('takes back the draft of a turn, and nothing where there is none', async () => {
  const rewound: Frame = { name: 'live', data: [{ type: 'rewound', to: 1 }] }
  const draft: Frame = { name: 'live', data: [{ type: 'thinking', iteration: 1 }] }

  const { seqs } = await follow(write(...kept(0), rewound), write(rewound, draft), write(rewound), write(rewound))

  expect(seqs).toEqual([0, 'thinking', 'rewound'])
})

it('ignores unknown and malformed frames', async () => {
  const strange = ['event: later\ndata: {}\n\n', 'data: {"seq":0,"at":1}\n\n', 'event: token\ndata: {"ask":5}\n\n']
  const token: Frame = { name: 'token', data: { ask: 'a', at: 1, token: 't' } }

  const known = await follow(strange.join('') + write(token, ...kept(0)))
  const harmful = await follow('data: {"seq":0,"at":1,"type":"said","__proto__":{}}\n\n', write(...kept(0)))

  expect([known.seqs, known.tokens]).toEqual([[0], ['a t']])
  expect([harmful.seqs, harmful.paths.length]).toEqual([[0], 3])
})

it.each([undefined, -1, 0.5, '0'])('goes back to no place that there is not, such as %s', async (to) => {
  const rewound = { name: 'live', data: [{ type: 'rewound', to }] } as Frame

  const { seqs, paths } = await follow(write(...kept(0, 1), rewound), write(...kept(2)))

  expect(seqs).toEqual([0, 1, 2])
  expect(paths[1]).toContain('from=2&at=101')
})

it('stays with a run whose server refuses the page, and ends where there is no server', async () => {
  const refusal = new AgentError('not_allowed', 'Sign in first.')
  const nothing = new AgentError('remote_failed', 'It answers with a page.')

  const { seqs, connections, failure } = await follow(write(...kept(0)), refusal, refusal, write(...kept(1)))
  const never = await follow(nothing)

  expect([seqs, failure]).toEqual([[0, 1], undefined])
  expect(connections.filter((connection) => connection === 'refused')).toHaveLength(2)
  expect(never.failure).toBe(nothing)
})

it('ends with what stays wrong, and tries again with what may pass', async () => {
  const busy = new AgentError('too_many', 'Later.', { retryable: true })
  const foreign = new AgentError('run_unknown', 'There is no such run.')

  const { seqs, failure, paths } = await follow(busy, write(...kept(0)), foreign)
  const gone = await follow(write(...kept(0), { name: 'gone', data: {} }))

  expect([seqs, failure, paths.length]).toEqual([[0], foreign, 3])
  expect(gone.failure).toMatchObject({ code: 'run_unknown' })
})
