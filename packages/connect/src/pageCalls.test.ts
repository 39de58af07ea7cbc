import { localHost } from '@interleave/core'
import { expect, it } from 'vitest'
import type { Answer } from './messages.ts'
import { ownNames, PageCalls } from './pageCalls.ts'

it('names what a page has, without what is undefined', () => {
  expect(ownNames('tools', { copy: () => 'copied', scan: undefined })).toEqual(['copy'])
})

it.each([
  [null, '`tools` must be an object'],
  [{ copy: 'copied' }, '`copy` of `tools` must be a function'],
])('refuses %o', (tools, problem) => {
  expect(() => ownNames('tools', tools as never)).toThrow(problem)
})

/** Calls a function that loses its connection, in a page whose clock is a thousand times as fast. */
function loseConnection(isLeft: boolean): Promise<Answer> {
  return new Promise((sendAnswer) => {
    let leave = (): void => {}
    const host = {
      ...localHost,
      timer: (ms: number, callback: () => void) => localHost.timer(ms / 1_000, callback),
      onUnload(callback: () => void) {
        leave = callback
        return () => {}
      },
    }
    const pay = async (): Promise<never> => {
      await undefined
      if (isLeft) leave()
      throw new TypeError('Load failed')
    }
    const calls = new PageCalls({ host, tools: { pay }, sendAnswer, take: () => true })
    const call = { toolCallId: '0', runId: 'run', idempotencyKey: 'run/1/tool/0', call: '0' }
    calls.receiveCall({ type: 'tool', name: 'pay', input: {}, ...call })
  })
}

it('answers that a call was interrupted whose connection breaks while the page is left', async () => {
  expect(await loseConnection(true)).toMatchObject({ type: 'failed', error: { code: 'tool_interrupted' } })
  expect(await loseConnection(false)).toMatchObject({ error: { code: 'tool_failed', message: 'Load failed' } })
})

it('runs a call once that arrives twice', async () => {
  let paid = 0
  const answers: Answer[] = []
  const pay = () => ++paid
  const calls = new PageCalls({
    host: localHost,
    tools: { pay },
    sendAnswer: (answer) => void answers.push(answer),
    take: () => true,
  })
  const call = { type: 'tool', name: 'pay', input: {}, toolCallId: '0', runId: 'run', call: '0' } as const

  for (let times = 0; times < 2; times++) calls.receiveCall({ ...call, idempotencyKey: 'run/1/tool/0' })

  await expect.poll(() => answers).toMatchObject([{ type: 'output', value: 1 }])
  expect(paid).toBe(1)
})
