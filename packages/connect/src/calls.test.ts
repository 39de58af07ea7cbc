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

it('rejects a call whose signal aborts, and leaves no listener behind', async () => {
  const { calls, posted } = setUp()
  const { signal, count } = countingSignal()
  const over = new AbortController()

  const answered = calls.sendCall('a', { signal })
  const aborted = calls.sendCall('b', { signal: over.signal })
  calls.resolveCall(answered.id, 1)
  over.abort(new Error('Enough.'))

  expect(await answered.answer).toBe(1)
  await expect(aborted.answer).rejects.toThrow('Enough.')
  expect([posted, count()]).toEqual([['a', 'b'], 0])
})

it('does not send a call whose signal has aborted', async () => {
  const { calls, posted } = setUp()

  const { answer } = calls.sendCall('a', { signal: AbortSignal.abort(new Error('Enough.')) })

  await expect(answer).rejects.toThrow('Enough.')
  expect([posted, calls.openCalls]).toEqual([[], []])
})

function setUp() {
  let id = 0
  const posted: string[] = []
  const calls = new Calls<string, number>(
    () => `${id++}`,
    (_, call) => void posted.push(call),
  )
  return { calls, posted }
}

/** A signal that counts its listeners. */
function countingSignal() {
  const { signal } = new AbortController()
  let count = 0
  const { addEventListener, removeEventListener } = signal
  Object.assign(signal, {
    addEventListener(...given: Parameters<typeof addEventListener>) {
      count++
      addEventListener.apply(signal, given)
    },
    removeEventListener(...given: Parameters<typeof removeEventListener>) {
      count--
      removeEventListener.apply(signal, given)
    },
  })
  return { signal, count: () => count }
}
