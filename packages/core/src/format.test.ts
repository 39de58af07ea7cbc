import { expect, it } from 'vitest'
import { logFormat } from './state.ts'
import { type Migration, migrate, migrations, readFormat } from './validate/validate.ts'

type Data = Record<string, unknown>
const rename =
  (from: string, to: string): Migration =>
  (event) => {
    const { [from]: value, ...others } = event as Data
    return value === undefined ? event : { ...others, [to]: value }
  }

/** The migrations from format 1 to 3. */
const twice = [rename('a', 'b'), rename('b', 'c')]

it.each([
  [1, { a: 1 }],
  [2, { b: 1 }],
  [3, { c: 1 }],
])('makes events of format %i those of the newest', (format, older) => {
  expect(migrate([older, older], format, twice)).toEqual([{ c: 1 }, { c: 1 }])
})

it('leaves alone what was added to an old run in the newest format', () => {
  expect(migrate([{ a: 1 }, { c: 2 }], 1, twice)).toEqual([{ c: 1 }, { c: 2 }])
})

it('copies nothing of what is new', () => {
  const log = [{ c: 1 }]

  expect(migrate(log, 3, twice)).toBe(log)
})

it('reads every format up to its own, and takes none for the first', () => {
  expect([undefined, 1, 2, 3].map((format) => readFormat(format, 3))).toEqual([1, 1, 2, 3])
  expect(readFormat(4, 3)).toMatch(/of format 4, and this version reads up to 3\. Update/)
  for (const none of [0, -1, 1.5, '1', null, {}, Number.NaN]) expect(readFormat(none)).toMatch(/not a number from 1/)
})

it('has a migration from each older format', () => {
  expect(logFormat).toBe(migrations.length + 1)
})
