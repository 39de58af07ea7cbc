import { agent } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, type RenderHookResult, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { type ReAct, useReAct } from './useReAct.ts'

afterEach(cleanup)

const talker = agent({ name: 'talker', model: scriptedModel(() => 'Yes.') })

interface Shown {
  readonly journal: Journal
  readonly id: string
  readonly result: RenderHookResult<ReAct<string>, unknown>['result']
}

/** Shows a run that was continued elsewhere, and has noticed it. */
async function overtaken(): Promise<Shown> {
  const journal = memoryJournal()
  const { result } = renderHook(() => useReAct(talker, { journal }))
  await act(async () => void (await result.current.start('One?').settled))
  const { id } = result.current.run ?? { id: '' }
  const there = await talker.resume(id, { journal })
  await there.say('And there?')
  await there.settled
  await act(async () => void (await result.current.say('Here?').catch(() => {})))
  await waitFor(() => expect(result.current.error?.code).toBe('journal_conflict'))
  return { journal, id, result }
}

const saidIn = async ({ journal, id }: Shown) =>
  (await journal.read(id)).flatMap((event) => (event.type === 'said' ? [event.content] : []))

it('takes a run back once for messages that are sent together', async () => {
  const shown = await overtaken()
  const { result } = shown

  await act(async () => void (await Promise.all([result.current.say('Two?'), result.current.say('Three?')])))

  await waitFor(() => expect(result.current.error).toBeUndefined())
  expect(await saidIn(shown)).toEqual(['One?', 'And there?', 'Two?', 'Three?'])
})

it('takes a run back once for all that show it', async () => {
  const shown = await overtaken()
  const { result, journal, id } = shown
  const { result: neighbors } = renderHook(() => useReAct(talker, { journal, runId: id }))
  await waitFor(() => expect(neighbors.current.error?.code).toBe('journal_conflict'))

  await act(async () => void (await result.current.say('Two?')))
  await act(async () => void (await neighbors.current.say('Three?')))
  await act(async () => void (await result.current.say('Four?')))

  expect(result.current.run).toBe(neighbors.current.run)
  expect(await saidIn(shown)).toEqual(['One?', 'And there?', 'Two?', 'Three?', 'Four?'])
})

it('takes a run back again that was continued elsewhere once more', async () => {
  const shown = await overtaken()
  const { result, journal, id } = shown
  await act(async () => void (await result.current.say('Two?')))
  await waitFor(() => expect(result.current.isWorking).toBe(false))
  const there = await talker.resume(id, { journal })
  await there.say('There again?')
  await there.settled
  await act(async () => void (await result.current.say('Lost?').catch(() => {})))
  await waitFor(() => expect(result.current.error?.code).toBe('journal_conflict'))

  await act(async () => void (await result.current.say('Three?')))

  expect(await saidIn(shown)).toEqual(['One?', 'And there?', 'Two?', 'There again?', 'Three?'])
})
