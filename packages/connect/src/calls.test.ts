import { AgentError } from '@interleave/core'
import { expect, it } from 'vitest'
import { Calls } from './calls.ts'

it('waits for no reply about a run that is given up, and for those about others', async () => {
  let id = 0
  const requests = new Calls<{ readonly run: string }, number>(
    () => `${id++}`,
    () => {},
  )
  const [given, kept] = ['r', 's'].map((run) => requests.sendCall({ run }).answer)

  requests.rejectCalls(({ run }) => (run === 'r' ? new AgentError('stopped', 'closed') : undefined))
  for (const each of ['0', '1']) requests.resolveCall(each, 7)

  await expect(given).rejects.toThrow('closed')
  expect(await kept).toBe(7)
})
