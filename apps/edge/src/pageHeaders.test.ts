import { expect, it } from 'vitest'
import { contentPolicyHeader } from '../../playground/src/safety/contentPolicy.ts'
import { pageHeaders } from './pageHeaders.ts'

it('sends all files of the page with its own policy', () => {
  const [path, ...lines] = pageHeaders().split('\n')

  expect(path).toBe('/*')
  expect(lines).toContain(`  Content-Security-Policy: ${contentPolicyHeader()}`)
})
