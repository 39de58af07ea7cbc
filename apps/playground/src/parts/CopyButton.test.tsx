import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyButton } from './CopyButton.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function copyWith(writeText: () => Promise<void>) {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  render(<CopyButton label="Copy link" text={() => 'a link'} otherwise="Take it from the address." />)
  await act(async () => fireEvent.click(screen.getByRole('button')))
  const at = screen.getByRole('status').textContent
  await act(async () => vi.runAllTimers())
  return [at, screen.getByRole('status').textContent]
}

it('says of each copy that there is one, and not for ever', async () => {
  expect(await copyWith(async () => {})).toEqual(['Copied', ''])
})

it('leaves there what to do where it cannot copy', async () => {
  const [at, later] = await copyWith(() => Promise.reject(new Error('No.')))

  expect(at).toContain('Take it from the address.')
  expect(later).toBe(at)
})
