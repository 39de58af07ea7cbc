import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DiagnosisCard } from './DiagnosisCard.tsx'

afterEach(cleanup)

it('makes links of the addresses in its steps, without what follows them', () => {
  const steps = ['Check that it is active: https://example.com/settings.', 'Copy the key again.']

  render(<DiagnosisCard diagnosis={{ title: 'No key', explanation: 'It is missing.', steps }} />)

  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['https://example.com/settings'])
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(steps)
})
