import { expect, it } from 'vitest'
import { noHead } from './logObject.ts'
import { noticeCutShort } from './noticeCutShort.ts'

function attempts() {
  const faults: string[] = []
  const noticing = noticeCutShort((runId, { code }) => faults.push(`${runId} ${code}`))
  const attempt = async ({ isRecorded }: { isRecorded: boolean }): Promise<void> => {
    const over = new AbortController()
    const executing = noticing(
      {
        next: async () => ({ events: [], isShown: false }),
        ...{ confirmRecorded: () => {}, takeCommands: () => {}, close: () => {} },
      },
      { runId: 'run', head: noHead, recorded: [], abortSignal: over.signal },
    )
    await executing.next()
    if (isRecorded) executing.confirmRecorded()
    over.abort()
  }
  return { faults, attempt }
}

it('reports a run whose attempts end with their first record', async () => {
  const { faults, attempt } = attempts()
  for (let times = 0; times < 3; times++) await attempt({ isRecorded: false })

  expect(faults).toEqual(['run options_invalid'])
})

it('takes a crash now and then for what it is', async () => {
  const { faults, attempt } = attempts()
  for (const isRecorded of [false, false, true, false, true, false, false]) await attempt({ isRecorded })

  expect(faults).toEqual([])
})
