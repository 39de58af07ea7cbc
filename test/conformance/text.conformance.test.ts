import { isDeepStrictEqual } from 'node:util'
import { readText, type TextReading } from '@interleave/text'
import { expect, it } from 'vitest'
import { needsData } from './needsData.ts'
import { tallying } from './tally.ts'
import {
  differences,
  isBesideText,
  loadCompare,
  readInPieces,
  readTextRows,
  type TextRow,
  textFile,
} from './textRow.ts'

const rows = readTextRows()
const compare = await loadCompare()
const tallyRow = tallying({ file: textFile, of: rows.length })
const inText = rows.filter((row) => !isBesideText(row))
const sizes = Array.from({ length: 16 }, (_, index) => index + 1)
needsData(textFile)

it.for(inText.filter(({ certainty }) => certainty !== 'lenient'))('reads $id, however it is cut', (row, { task }) => {
  tallyRow(task, row.certainty, { row: row.id, parts: sizes.length + 1 })

  const reading = readText(row.raw_text, row)

  expect(differences(row, reading, compare)).toEqual([])
  expect(sizesReadOtherwise(row, reading)).toEqual([])
})

it.for(rows.filter(({ certainty }) => certainty === 'lenient'))('reads $id in one way', (row, { task }) => {
  const reading = readText(row.raw_text, row)
  const isAsked = differences(row, reading, compare).length === 0
  const check = isAsked ? 'read' : reading.problem === undefined ? 'read otherwise' : 'refused'
  tallyRow(task, `lenient: ${check}`, { row: row.id, parts: sizes.length + 1 })

  expect(sizesReadOtherwise(row, reading)).toEqual([])
})

it.for(rows.filter(isBesideText))('asks for the step that is not in the text of $id', (row, { task }) => {
  tallyRow(task, 'step beside text', { row: row.id, parts: 1 })

  expect(readText(row.raw_text, row).problem).toContain('There is no step')
})

it.runIf(rows.length > 0)('reads nearly all without being told the format', () => {
  const strict = inText.filter(({ certainty }) => certainty !== 'lenient')

  // In examples and after observations, it acts on less than if the format is given.
  const failed = strict.filter((row) => differences(row, readText(row.raw_text), compare).length > 0)

  expect(failed.length / strict.length, failed.map(({ id }) => id).join(' ')).toBeLessThan(0.04)
})

it.for(rows)('survives $id when it is damaged', (row) => {
  const index = rows.indexOf(row)
  const other = rows[(index * 7 + 3) % rows.length] ?? row

  const readings = wounds.flatMap((wound) =>
    damaged(row, other, index + wound).flatMap((text) => [readText(text), readText(text, row)]),
  )

  const refused = readings.filter(({ problem }) => problem !== undefined)
  expect(refused.filter(({ actions, finish }) => actions.length > 0 || finish !== undefined)).toEqual([])
  expect(refused.every(({ problem = '' }) => problem.length > 10)).toBe(true)
})

const sizesReadOtherwise = (row: TextRow, reading: TextReading): number[] =>
  sizes.filter((size) => !isDeepStrictEqual(readInPieces(row, size), reading))

/** CONFORMANCE_WOUNDS takes another number of them: 12 make a hundred thousand texts of 600 rows. */
const wounds = Array.from({ length: Number(process.env.CONFORMANCE_WOUNDS || 2) }, (_, index) => index * 7)

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
