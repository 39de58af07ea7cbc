import { AgentError } from '@interleave/core'
import { PauseError } from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import { pausing } from './workObject.ts'

const damaged = new AgentError('log_invalid', 'Event 3 has a wrong or missing "type".')
const fail = (error: Error) => () => Promise.reject(error)

it('pauses what cannot pass, and says why', async () => {
  const thrown = await pausing({ PauseError }, fail(damaged)).catch((error: unknown) => error)

  expect(thrown).toBeInstanceOf(PauseError)
  expect(thrown).toMatchObject({ message: damaged.message })
})

it('has anything else tried again', async () => {
  const away = new AgentError('remote_failed', 'Restate cannot be reached.', { retryable: true })

  await expect(pausing({ PauseError }, fail(away))).rejects.toBe(away)
  await expect(pausing({}, fail(damaged))).rejects.toBe(damaged)
})
