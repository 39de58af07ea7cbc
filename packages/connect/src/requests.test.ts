import { AgentError } from '@interleave/core'
import { expect, it } from 'vitest'
import { createRequests } from './requests.ts'

it('waits for no reply about a run that is given up, and for those about others', async () => {
  let id = 0
  const requests = createRequests(
    () => `${id++}`,
    () => {},
  )
  const [given, kept] = ['r', 's'].map((run) => requests.send({ type: 'settle', run }))

  requests.rejectOf('r', new AgentError('stopped', 'closed'))
  for (const each of ['0', '1']) requests.hear({ type: 'done', id: each, length: 7 })

  await expect(given).rejects.toThrow('closed')
  expect(await kept).toBe(7)
})
