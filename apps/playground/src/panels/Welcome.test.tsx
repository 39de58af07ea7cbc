import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { guided } from '../firstMinute/guided.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { Welcome } from './Welcome.tsx'

afterEach(cleanup)

const { offer } = guided

it.each([
  ['Book a trip, 60 s', guided.prompt],
  [offer.prompts[0] ?? '', offer.prompts[0]],
])('begins one run by a double click: %s', (name, prompt) => {
  const playground = createPlayground()
  const start = vi.fn(async () => playground.store.setState({ isStarting: true }))
  render(
    <PlaygroundContext value={{ ...playground, start }}>
      <Welcome />
    </PlaygroundContext>,
  )
  const button = screen.getByRole('button', { name })

  fireEvent.click(button)
  fireEvent.click(button)

  expect(start).toHaveBeenCalledExactlyOnceWith(offer, prompt)
})
