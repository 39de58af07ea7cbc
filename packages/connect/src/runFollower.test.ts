import { AgentError, type Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { RunFollower, type RunFollowerOptions } from './runFollower.ts'

const host = { now: () => 7, newId: () => 'id' }
const follow = (given: Partial<RunFollowerOptions> = {}) =>
  new RunFollower({
    ...{ id: 'r', host },
    sendCommand: async () => 99,
    settle: async () => {},
    followAgain: () => Promise.reject(new AgentError('worker_failed', 'Still gone.')),
    onClose() {},
    ...given,
  })
const stamp = { at: 1, iteration: 0 }
const started: Event = { ...stamp, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
const said = (seq: number, content: string): Event => ({ ...stamp, seq, type: 'said', by: 'user', content })
const contents = ({ run }: ReturnType<typeof follow>) => run.state.pending.map(({ content }) => content)

it('takes back what the worker takes back', () => {
  const followed = follow()

  followed.receiveEvents([started, said(1, 'Go'), said(2, 'lost'), { type: 'rewound', to: 2 }, said(2, 'kept')])

  expect(contents(followed)).toEqual(['Go', 'kept'])
})

it.each<[string, unknown]>([
  ['leaves one out', said(3, 'late')],
  ['is not an event', { ...stamp, seq: 2, type: 'unheard of' }],
  [
    'would change a prototype',
    JSON.parse('{"seq":2,"at":1,"iteration":0,"type":"said","by":"user","content":[{"type":"x","__proto__":{}}]}'),
  ],
])('fails when what is sent %s, and receives nothing more', async (_, event) => {
  const followed = follow()

  followed.receiveEvents([started, said(1, 'Go'), event, said(2, 'never')])

  expect(await followed.run.settled).toMatchObject({ type: 'failed', error: { code: 'log_invalid' } })
  expect(contents(followed)).toEqual(['Go'])
})

it('passes over live events that it does not know', () => {
  const followed = follow()

  followed.receiveEvents([
    started,
    { type: 'glitter' },
    { type: 'delta', kind: 'text' },
    { type: 'thinking', iteration: 1 },
  ])

  expect(followed.run.state).toMatchObject({ seq: 1, draft: { iteration: 1 } })
})

it('does not wait for events that will never arrive', async () => {
  const followed = follow()
  followed.receiveEvents([started, said(1, 'Go')])

  followed.failRun(new Error('gone'))

  await expect(followed.run.say('More')).rejects.toThrow('Still gone.')
  await followed.run.reachLength(99)
  expect(followed.run.state.signal).toMatchObject({ type: 'failed', error: { code: 'worker_failed', message: 'gone' } })
})

it.each([
  ['works', []],
  ['rests', [{ ...stamp, seq: 2, type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } }]],
])('waits no longer when the worker dies before it told what is done, and the run %s', async (_, more) => {
  const followed = follow()
  followed.receiveEvents([started, said(1, 'Go'), ...more])

  const saying = followed.run.say('More')
  const reaching = followed.run.reachLength(99)
  await new Promise((resolve) => setTimeout(resolve))
  followed.failRun(new Error('gone'))

  await Promise.all([saying, reaching])
  expect(await followed.run.settled).toMatchObject(more[0]?.signal ?? { type: 'failed' })
})

it('continues with a run that failed here, from what its host has', async () => {
  const commands: unknown[] = []
  const followed: RunFollower<unknown> = follow({
    async sendCommand(command) {
      commands.push(command)
      return 3
    },
    async followAgain() {
      followed.run.followAgain()
      expect(contents(followed)).toEqual(['Go'])
      followed.receiveEvents([started, said(1, 'Go'), said(2, 'meanwhile')])
    },
  })
  followed.receiveEvents([started, said(1, 'Go')])
  followed.failRun(new Error('gone'))

  followed.run.resume()
  await followed.run.say('More', { key: 'k' })

  expect(followed.run.state.signal).toBeUndefined()
  expect(contents(followed)).toEqual(['Go', 'meanwhile'])
  expect(commands).toMatchObject([{ type: 'say', content: 'More' }])
})

it('is released once, before its settling is emitted', () => {
  const received: string[] = []
  const followed = follow({ onClose: () => void received.push('closed') })
  const { run } = followed
  followed.receiveEvents([started, said(1, 'Go')])
  run.subscribe(({ type }) => void received.push(type))

  run.close()
  run.close()
  followed.receiveEvents([said(2, 'never')])

  expect(received).toEqual(['closed', 'settled'])
})
