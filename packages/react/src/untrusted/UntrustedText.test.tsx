import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { UntrustedText } from './UntrustedText.tsx'

it('shows each hidden character of a whole text, but not with an element for each', () => {
  const text = '\u202ea'.repeat(5_000)

  const { container } = render(<UntrustedText limit={Number.POSITIVE_INFINITY}>{text}</UntrustedText>)

  expect(container.textContent?.match(/U\+202E/g)).toHaveLength(5_000)
  expect(container.querySelectorAll('*').length).toBeLessThan(1_100)
})
