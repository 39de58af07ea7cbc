import { remoteAgent } from '@interleave/connect/http'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useConnection, useMessages, useReAct } from './index.ts'

afterEach(cleanup)

it('says that the server cannot be reached, and shows what is said meanwhile', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const run = remoteAgent({ url: 'https://nowhere.test/api', name: 'guide', fetch }).start('Hello')
  const { result } = renderHook(() => ({
    connection: useConnection(run),
    messages: useMessages(run),
    none: useConnection(undefined),
  }))

  await waitFor(() => expect(result.current.connection?.type).toBe('waiting'))

  expect(result.current.messages).toMatchObject([{ type: 'user', text: 'Hello', state: 'sending' }])
  expect(result.current.none).toBe(undefined)
  await act(async () => run.close())
})

it('is a field of useReAct, for components that read it', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const guide = remoteAgent({ url: 'https://nowhere.test/api', name: 'guide', fetch })
  const run = guide.start('Hello')
  let renders = 0
  const { result } = renderHook(() => useReAct(guide, { run }).connection)
  const { result: silent } = renderHook(() => {
    renders++
    return useReAct(guide, { run }).status
  })

  await waitFor(() => expect(result.current?.type).toBe('waiting'))

  expect([silent.current, renders]).toEqual(['working', 1])
  await act(async () => run.close())
})
