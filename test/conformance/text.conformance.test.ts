import { readText } from '@interleave/text'
import { expect, it } from 'vitest'
import { needsData } from './needsData.ts'
import { tallying } from './tally.ts'
import { expectSurvival, sizesReadOtherwise } from './textDamage.ts'
import { differences, isNextToText, loadCompare, readTextRows, textFile } from './textRow.ts'

const rows = readTextRows()
const compare = await loadCompare()
const tallyRow = tallying({ file: textFile, of: rows.length })
const inText = rows.filter((row) => !isNextToText(row))
const sizes = [1, 2, 3, 4, 5, 7, 11, 16]
needsData(textFile)

it.for(inText.filter(({ certainty }) => certainty !== 'lenient'))('reads $id, however it is cut', (row, { task }) => {
  tallyRow(task, row.certainty, { row: row.id, parts: sizes.length + 1 })

  const reading = readText(row.raw_text, row)

  expect(differences(row, reading, compare)).toEqual([])
  expect(sizesReadOtherwise(row, reading, sizes)).toEqual([])
})

it.for(rows.filter(({ certainty }) => certainty === 'lenient'))('reads $id in one way', (row, { task }) => {
  const reading = readText(row.raw_text, row)
  const isAsked = differences(row, reading, compare).length === 0
  const check = isAsked ? 'read' : reading.problem === undefined ? 'read otherwise' : 'refused'
  tallyRow(task, `lenient: ${check}`, { row: row.id, parts: sizes.length + 1 })

  expect(sizesReadOtherwise(row, reading, sizes)).toEqual([])
})

it.for(rows.filter(isNextToText))('asks for the step that is not in the text of $id', (row, { task }) => {
  tallyRow(task, 'step beside text', { row: row.id, parts: 1 })

  expect(readText(row.raw_text, row).problem).toContain('There is no step')
})

it.runIf(rows.length > 0)('reads nearly all without knowing the format', () => {
  const strict = inText.filter(({ certainty }) => certainty !== 'lenient')

  // In examples and after observations, it acts on less than if the format is given.
  const failed = strict.filter((row) => differences(row, readText(row.raw_text), compare).length > 0)

  expect(failed.length / strict.length, failed.map(({ id }) => id).join(' ')).toBeLessThan(0.04)
})

it.for(rows)('survives $id when it is damaged', (row) => {
  expectSurvival(rows, row, [0])
})
