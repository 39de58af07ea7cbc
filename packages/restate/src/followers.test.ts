import { AgentError, type Event, localHost } from '@interleave/core'
import { expect, it } from 'vitest'
import { Followers, type FollowersOptions } from './followers.ts'

const started: Event = { seq: 0, at: 0, iteration: 0, type: 'started', runId: 'a', agent: 'guide', version: '' }

function follow(read: FollowersOptions['read']) {
  const told: unknown[] = []
  const failed: unknown[] = []
  const followers = new Followers({
    ...{ read, live: undefined, host: localHost },
    onEvent: (_, event) => told.push(event),
    onFailed: (_, error) => failed.push(error),
  })
  return { followers, told, failed }
}

it('follows a run again that could not be read before', async () => {
  let isBroken = true
  const { followers, told, failed } = follow(async () => {
    if (isBroken) throw new AgentError('journal_failed', 'A page is missing.')
    return [started]
  })
  followers.followRun('a', { isNew: false })
  await expect.poll(() => failed).toHaveLength(1)

  isBroken = false
  followers.followRun('a', { isNew: false })

  await expect.poll(() => told).toEqual([started])
  followers.leaveRun('a')
})

it('ends a look under way when the run is left', async () => {
  let aborted = 0
  const { followers, failed } = follow(
    (_run, _from, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted++
          reject(signal.reason)
        })
      }),
  )
  followers.followRun('a', { isNew: false })

  followers.leaveRun('a')

  await expect.poll(() => aborted).toBe(1)
  expect(failed).toEqual([])
})
