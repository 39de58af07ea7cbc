import { agent, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { SignalOutlet, useReAct } from './index.ts'

afterEach(cleanup)

const book = tool({
  inputSchema: z.object({}),
  execute: async (_, { ask }) => `Booked ${await ask(choice({ prompt: 'Which flight?', options: ['TP1', 'TP2'] }))}`,
})
const planner = () =>
  agent({ name: 'planner', model: scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Done.'), tools: { book } })

it('starts, asks, is answered in the outlet and shows the answer', async () => {
  const guide = planner()
  const Chat = () => {
    const { run, say, answer } = useReAct(guide)
    return (
      <>
        <button type="button" onClick={() => void say('Go')}>
          Start
        </button>
        <output>{answer}</output>
        <SignalOutlet run={run} />
      </>
    )
  }
  render(
    <StrictMode>
      <Chat />
    </StrictMode>,
  )

  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'TP2' }))
  await userEvent.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await screen.findByText('Done.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBe(null)
})
