import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render, waitFor } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useReAct } from './index.ts'

afterEach(cleanup)

const text = Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(' ')

/** Streams one word per task, so that many frames pass meanwhile. */
function slowly(): ReturnType<typeof scriptedModel> {
  const model = scriptedModel(text)
  return {
    ...model,
    async doStream(call) {
      const { stream } = await model.doStream(call)
      const pause = new TransformStream({
        async transform(part, controller) {
          await new Promise((resolve) => setTimeout(resolve))
          controller.enqueue(part)
        },
      })
      return { stream: stream.pipeThrough(pause) }
    },
  }
}

it('renders at most once per frame while a thousand deltas stream in', async () => {
  const run = agent({ name: 'talker', model: slowly() }).start('Go')
  const guide = agent({ name: 'talker', model: scriptedModel() })
  let commits = 0
  let frames = 0
  let isOver = false
  const count = (): void => {
    frames++
    if (!isOver) requestAnimationFrame(count)
  }
  const Draft = () => {
    const { draft, answer } = useReAct(guide, { run })
    return <p>{answer ?? draft?.text}</p>
  }

  requestAnimationFrame(count)
  const { container } = render(
    <Profiler id="draft" onRender={() => commits++}>
      <Draft />
    </Profiler>,
  )
  await waitFor(() => expect(container.textContent).toBe(text), { timeout: 30_000 })
  isOver = true

  expect(commits).toBeGreaterThan(3)
  // One to mount, and one for the rest, which does not wait for a frame.
  expect(commits).toBeLessThanOrEqual(frames + 2)
})
