import type { EvalCase } from '@interleave/testing'

const sums: readonly (readonly [string, string])[] = [
  ['What is 15% of 84.50?', '12.675'],
  ['Calculate 12 * (3 + 4)', '84'],
  ['What is 12 times 7 plus 1?', '85'],
  ['add 2 and 3', '5'],
  ['subtract 2 from 10', '8'],
  ['multiply 1,200 by 3', '3600'],
  ['the square root of 81', '9'],
  ['3 squared', '9'],
  ['What is 100 / 8?', '12.5'],
  ['Convert 26.2 miles to km', '42.16'],
  ['Convert 100 fahrenheit to celsius', '37.7'],
  ['What is seven times eight?', '56'],
]

/** Something to try at once. The demo planner reads digits only, so the last one does not pass. */
export const sampleCases: readonly EvalCase[] = sums.map(([input, expected], index) => ({
  id: String(index + 1),
  input,
  expected,
}))
