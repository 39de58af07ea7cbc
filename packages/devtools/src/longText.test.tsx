import { agent, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { Facts, FailureNote, JsonText } from './parts.tsx'
import { logOf } from './runLog.ts'
import { timelineOf } from './timelineOf.ts'

afterEach(cleanup)

it('cuts a long text until the user expands it, since a browser lays out a megabyte in seconds', () => {
  const value = 'аpple '.repeat(50_000)
  const { rerender } = render(<JsonText value={value} label="The question" />)
  const shown = screen.getByRole('region', { name: 'The question' })
  expect(shown.textContent?.length).toBeLessThan(21_000)

  fireEvent.click(screen.getByRole('button', { name: 'Show all (300,000 characters)' }))
  expect(shown.textContent).toBe(value)

  rerender(<JsonText value={[value]} label="The question" />)
  expect(shown.textContent?.length).toBeLessThan(21_000)
})

it('cuts facts and errors of others, and shows their invisible characters', () => {
  const text = `\u202e${'x'.repeat(9_000)}`
  const error = { code: 'tool_failed', message: text, retryable: false } as const
  const { container } = render(
    <>
      <Facts facts={{ Questions: text }} />
      <FailureNote error={error} />
    </>,
  )

  expect(container.textContent).toMatch(/^Questions\\u202ex{299}….*\\u202ex{1999}…$/)
})

it('names the row of a question with a megabyte by its start', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: (_, given) => given.ask(text({ prompt: 'аpple '.repeat(50_000) })),
  })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] })
  const run = agent({ name: 'a', model, tools: { ask } }).start('Go')
  await run.settled

  const row = timelineOf(logOf(run.log)).rows.find(({ kind }) => kind === 'wait')

  expect(row?.title).toMatch(/^(аpple ?){50}$/)
})
