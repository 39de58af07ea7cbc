import { expect, it } from 'vitest'
import { defaultLimits } from './handlerOptions.ts'

/** After how many seconds of silence a connection is closed by default. */
it.each([
  ['Bun', 10],
  ['nginx', 60],
  ['the load balancers of AWS', 60],
  ['Cloudflare', 100],
])('gives two signs of life before %s takes a stream for idle', (_, seconds) => {
  expect(defaultLimits.heartbeatMs * 2).toBeLessThanOrEqual(seconds * 1_000)
})
