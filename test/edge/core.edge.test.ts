import * as core from '@interleave/core'
import { expect, test } from 'vitest'

test('the sources of the core load in workerd', () => {
  expect(navigator.userAgent).toBe('Cloudflare-Workers')
  expect(Object.keys(core).length).toBeGreaterThan(0)
})
