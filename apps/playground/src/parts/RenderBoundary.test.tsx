import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { RenderBoundary } from './RenderBoundary.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Breaks({ when }: { when: boolean }) {
  if (when) throw new RangeError('Maximum call stack size exceeded')
  return <p>drawn</p>
}

const page = (isBroken: boolean, text: string) => (
  <>
    <RenderBoundary text={text}>
      <Breaks when={isBroken} />
    </RenderBoundary>
    <p>beside</p>
  </>
)

it('keeps what cannot be drawn to its position, and shows it as plain text', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(page(true, 'a\u202eb'))
  expect(screen.getByText('beside')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Show as plain text' }))

  expect(screen.getByText('U+202E')).toBeTruthy()
})

it('tries again with another text', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { rerender } = render(page(true, 'a'))

  rerender(page(false, 'b'))

  expect(screen.getByText('drawn')).toBeTruthy()
})
