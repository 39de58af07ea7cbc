import { readText } from '@interleave/text'
import { expect, it } from 'vitest'
import { needsData } from './needsData.ts'
import { expectSurvival, sizesReadOtherwise } from './textDamage.ts'
import { isNextToText, readTextRows, textFile } from './textRow.ts'

const rows = readTextRows()
needsData(textFile)

/** CONFORMANCE_WOUNDS takes another number of them: 12 make a hundred thousand texts of 600 rows. */
const corruptions = Array.from({ length: Number(process.env.CONFORMANCE_WOUNDS || 2) }, (_, index) => index * 7)

it.for(rows.filter((row) => !isNextToText(row)))('reads $id in one way, in chunks of more sizes', (row) => {
  expect(sizesReadOtherwise(row, readText(row.raw_text, row), [6, 8, 9, 10, 12, 13, 14, 15])).toEqual([])
})

it.for(rows)('survives $id when it is damaged in more ways', (row) => {
  expectSurvival(rows, row, corruptions)
})
