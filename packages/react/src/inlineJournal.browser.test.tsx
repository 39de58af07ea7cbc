import { agent, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { useReAct } from './index.ts'

afterEach(cleanup)

it('finds its run again with an inline journal, when its view is left and entered while a tool works', async () => {
  let paid = 0
  let proceed = (): void => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const pay = tool({
    inputSchema: z.object({}),
    effect: 'idempotent',
    async execute() {
      paid++
      await held
      return 'paid'
    },
  })
  const payer = agent({
    name: 'payer',
    model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.'),
    tools: { pay },
  })
  const name = `inline ${crypto.randomUUID()}`
  let started: string | undefined
  const View = ({ runId }: { readonly runId?: string | undefined }) => {
    const { run, start, answer } = useReAct(payer, { journal: indexedDbJournal({ name }), runId })
    started ??= run?.id
    return (
      <button type="button" onClick={() => start('Go')}>
        {answer ?? 'Pay'}
      </button>
    )
  }
  const first = render(<View />)
  first.getByRole('button').click()
  await expect.poll(() => paid).toBe(1)
  first.unmount()

  const second = render(<View runId={started} />)
  await new Promise((resolve) => setTimeout(resolve, 200))
  proceed()

  await expect.poll(() => second.getByRole('button').textContent).toBe('Done.')
  expect(paid).toBe(1)
})
