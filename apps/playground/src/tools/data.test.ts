import { expect, it } from 'vitest'
import { createDesk } from '../tables/desk.ts'
import { aggregate } from './aggregate.ts'
import { callOnce } from './callOnce.ts'
import { describeColumns } from './describeColumns.ts'
import { filterRows } from './filterRows.ts'
import { openFile } from './openFile.ts'
import { topRows } from './topRows.ts'

const file = 'City;Price\nLisbon;10\nRome;30\nLisbon;20\nRome;\n'

/** A call on a desk of its own, with the file picked when it is asked for. */
const call = async (name: string, input: Record<string, string | number>) => {
  const desk = createDesk()
  const tools = {
    openFile: openFile(desk),
    describeColumns: describeColumns(desk),
    aggregate: aggregate(desk),
    filterRows: filterRows(desk),
    topRows: topRows(desk),
  }
  return callOnce({ tools, name, input, replies: [{ file }] })
}

it('asks for the file with a field to pick it', async () => {
  const { asked, output } = await call('openFile', {})

  expect(asked[0]).toMatchObject({ kind: 'form', schema: { properties: { file: { contentMediaType: 'text/csv' } } } })
  expect(output).toMatchObject({ rows: 4, columns: ['City', 'Price'] })
})

it.each([
  ['sum', 60],
  ['mean', 20],
  ['median', 20],
  ['min', 10],
  ['max', 30],
  ['count', 3],
])('computes the %s of a column', async (operation, result) => {
  const { output } = await call('aggregate', { operation, column: 'price' })

  expect(output).toEqual({ [`${operation} of Price`]: result, rows: 4 })
})

it('computes by group, the largest first', async () => {
  const { output } = await call('aggregate', { operation: 'mean', column: 'price', groupBy: 'cities' })

  expect(output).toEqual([
    { City: 'Rome', 'mean of Price': 30 },
    { City: 'Lisbon', 'mean of Price': 15 },
  ])
})

it('describes columns by what they hold', async () => {
  const { output } = await call('describeColumns', {})

  expect(output).toEqual([
    { column: 'City', type: 'text', empty: 0, distinct: 2, examples: ['Lisbon', 'Rome'] },
    { column: 'Price', type: 'number', empty: 1, min: 10, mean: 20, max: 30 },
  ])
})

it('filters rows', async () => {
  const { output } = await call('filterRows', { column: 'price', is: 'above', value: '15' })

  expect(output).toMatchObject({ count: 2, of: 4 })
})

it('shows the rows with the highest values', async () => {
  const { output } = await call('topRows', { column: 'price', count: 1 })

  expect(output).toEqual([{ City: 'Rome', Price: 30 }])
})

it('names the columns when it is asked for another', async () => {
  const { error } = await call('topRows', { column: 'color' })

  expect(error?.message).toBe('There is no column "color". The columns are: City, Price.')
})
