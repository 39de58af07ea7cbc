import { agent, tool } from '@interleave/core'
import { freeMemory } from '@interleave/test-kit/freeMemory'
import { call, newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

const chunk = 'x'.repeat(20_000)
const chunks = 5_000

/** Creates a tool that reports 100 MB of progress, and stores none of it. */
const talk = (onEnd: () => void) =>
  tool({
    inputSchema: z.object({}),
    async *execute() {
      for (let i = 0; i < chunks; i++) {
        yield `${i} ${chunk}`
        // Others have their turn.
        if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve))
      }
      onEnd()
      await new Promise(() => {})
    },
  })

function usedBytes(): number {
  freeMemory()
  return process.memoryUsage().heapUsed
}

it('row 14: keeps next to nothing for readers that read nothing of 100 MB', async () => {
  let end = (): void => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const model = scriptedModel({ calls: [{ name: 'talk', input: {} }] })
  const handler = openHandler([agent({ name: 'a', model, tools: { talk: talk(() => end()) } })])
  const before = usedBytes()
  const { runId } = await (await call(handler, newRun(), { body: { agent: 'a', input: 'Go' } })).json()
  const [began, hasBegun] = await Promise.all([
    call(handler, `runs/${runId}/events`),
    call(handler, `runs/${runId}/events`),
  ])
  const readers = [began, hasBegun].map(({ body }) => body?.getReader())
  const [first] = readers
  await readers[1]?.read()
  // The first is in the middle of it, and then reads no more.
  const decoder = new TextDecoder()
  for (let text = ''; !text.includes('progressed'); ) text = decoder.decode((await first?.read())?.value)

  await over
  const grown = usedBytes() - before
  const late = (await first?.read())?.value?.length

  expect(grown).toBeLessThan(10_000_000)
  expect(late).toBeLessThan(100_000)
  for (const reader of readers) await reader?.cancel()
  await call(handler, `runs/${runId}/stop`, { body: {} })
})
