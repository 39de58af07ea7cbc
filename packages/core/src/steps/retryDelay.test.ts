import { expect, it } from 'vitest'
import { retryAfter, retryDelay } from './retry.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const delay = (responseHeaders?: Record<string, string>, attempt = 0) =>
  retryDelay(retryAfter({ responseHeaders }, now), { attempt, baseMs: 1_000 })

it.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '3' }, 3_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT' }, 7_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:03 GMT', date: 'Fri, 20 Nov 2026 11:00:00 GMT' }, 3_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT', date: 'today' }, 7_000],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
])('waits as long as %j says', (headers, ms) => {
  expect(delay(headers)).toBe(ms)
})

it.each([
  [undefined],
  [{}],
  [{ 'retry-after': 'soon' }],
  [{ 'retry-after': '' }],
  [{ 'retry-after': '-1' }],
  [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }],
])('doubles its own time where %j says nothing of use', (headers) => {
  expect([0, 1, 2, 3].map((attempt) => delay(headers, attempt))).toEqual([1_000, 2_000, 4_000, 8_000])
})

it('doubles to a minute at most', () => {
  expect(delay({}, 30)).toBe(60_000)
})

it.each([[{ 'retry-after': '3600' }], [{ 'retry-after-ms': '60001' }], [{ 'retry-after': 'Infinity' }]])(
  'does not wait for as long as %j says',
  (headers) => {
    expect(delay(headers)).toBeUndefined()
  },
)

it.each([[undefined], [null], ['text'], [new Error('x')]])('takes any error, such as %o', (error) => {
  expect(retryAfter(error, now)).toBeUndefined()
})
