import type { Cell, Row } from './table.ts'

export const operations = ['count', 'sum', 'mean', 'median', 'min', 'max'] as const
export type Operation = (typeof operations)[number]

/** Returns one number for many cells. Only `count` includes cells without a number. */
export function summarizeTable(cells: readonly Cell[], operation: Operation): number | null {
  if (operation === 'count') return cells.filter((cell) => cell !== null).length
  const numbers = cells.filter((cell) => typeof cell === 'number').sort((a, b) => a - b)
  if (numbers.length === 0) return null
  const sum = numbers.reduce((total, number) => total + number, 0)
  switch (operation) {
    case 'sum':
      return round(sum)
    case 'mean':
      return round(sum / numbers.length)
    case 'median':
      return round(((numbers[(numbers.length - 1) >> 1] ?? 0) + (numbers[numbers.length >> 1] ?? 0)) / 2)
    case 'min':
      return numbers[0] ?? null
    case 'max':
      return numbers.at(-1) ?? null
  }
}

/** Groups rows by their value in a column, in the order in which the values appear. */
export function groupRows(rows: readonly Row[], column: string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const value = String(row[column] ?? '(empty)')
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return groups
}

const round = (value: number): number => Number(value.toPrecision(12))
