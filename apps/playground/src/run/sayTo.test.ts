import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { sayTo } from './sayTo.ts'

it('tells that words wait for the server, and no longer once they are sent', async () => {
  vi.useFakeTimers()
  const run = agent({ name: 'a', model: scriptedModel('Hello.') }).start('Hi')
  let send = (): void => {}
  const slow = { ...run, id: 'r', say: () => new Promise<void>((resolve) => (send = resolve)) }
  const notices: string[] = []
  const telling = { notify: ({ id }: { id: string }) => notices.push(id), dismissNotice: () => notices.splice(0) }

  const saying = sayTo({ run: slow, place: 'server' }, 'More', telling)
  vi.advanceTimersByTime(2_000)
  const meanwhile = [...notices]
  send()

  expect(await saying).toBeUndefined()
  expect(meanwhile).toEqual(['unsent r'])
  expect(notices).toEqual([])
  vi.useRealTimers()
})
