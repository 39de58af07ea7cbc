import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPage } from './renderPage.tsx'

afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('says what to do where the page breaks, and tells the console why', async () => {
  const told = vi.fn()
  vi.stubGlobal('reportError', told)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Broken = () => {
    throw new Error('A message has no words.')
  }
  const host = document.body.appendChild(document.createElement('div'))

  renderPage(host, <Broken />)

  expect((await screen.findByRole('alert')).textContent).toContain('Load the page again')
  expect(screen.getByText('A message has no words.')).toBeTruthy()
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ message: 'A message has no words.' }))
})
