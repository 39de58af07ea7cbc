import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { agents } from '../agents/index.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { Welcome } from './Welcome.tsx'

afterEach(cleanup)

it('begins one run by a double click', () => {
  const playground = createPlayground()
  const start = vi.fn(async () => playground.store.setState({ isStarting: true }))
  render(
    <PlaygroundContext value={{ ...playground, start }}>
      <Welcome />
    </PlaygroundContext>,
  )
  const [offer] = agents
  const prompt = screen.getByRole('button', { name: offer?.prompts[0] ?? '' })

  fireEvent.click(prompt)
  fireEvent.click(prompt)

  expect(start).toHaveBeenCalledExactlyOnceWith(offer, offer?.prompts[0])
})
