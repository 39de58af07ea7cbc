import { isDeepStrictEqual } from 'node:util'
import { readText, type TextReading } from '@interleave/text'
import { expect } from 'vitest'
import { readInChunks, type TextRow } from './textRow.ts'

/** Returns the sizes of pieces in which a text is read in another way. */
export const sizesReadOtherwise = (row: TextRow, reading: TextReading, sizes: readonly number[]): number[] =>
  sizes.filter((size) => !isDeepStrictEqual(readInChunks(row, size), reading))

/** Expects that a text is either read or refused with a reason, also if it is damaged in these ways. */
export function expectSurvival(rows: readonly TextRow[], row: TextRow, corruptions: readonly number[]): void {
  const index = rows.indexOf(row)
  const other = rows[(index * 7 + 3) % rows.length] ?? row

  const readings = corruptions.flatMap((corrupt) =>
    damaged(row, other, index + corrupt).flatMap((text) => [readText(text), readText(text, row)]),
  )

  const refused = readings.filter(({ problem }) => problem !== undefined)
  expect(refused.filter(({ actions, finish }) => actions.length > 0 || finish !== undefined)).toEqual([])
  expect(refused.every(({ problem = '' }) => problem.length > 10)).toBe(true)
}

/** Cut short, with a part lost, doubled, moved, and with parts of another row or a stray mark in it. */
function damaged({ raw_text: text }: TextRow, { raw_text: other }: TextRow, seed: number): string[] {
  const place = Math.floor((text.length * (1 + (seed % 97))) / 99)
  const [head, tail] = [text.slice(0, place), text.slice(place)]
  const mark = strayMarks[seed % strayMarks.length] ?? ''
  return [
    head,
    tail,
    head + tail.slice(9),
    head + head.slice(-30) + tail,
    tail + head,
    head + other,
    head + mark + tail,
  ]
}
const strayMarks = ['\nAction:', '\nObservation:', '\nFinal Answer:', '```', '{', '<tool_call>', '"']
