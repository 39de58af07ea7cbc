// Measures one case for one subject, alone in its process, and prints the samples as the last line.

import process from 'node:process'
import { createKit } from './kit.ts'
import { nodeCases } from './nodeCases.ts'
import { createRunner } from './runner.ts'
import { loadSubject } from './subjects.ts'

const [caseName = '', subjectName = '', quick] = process.argv.slice(2)
const chosen = nodeCases.find(({ name }) => name === caseName)
if (!chosen) throw new Error(`There is no case "${caseName}".`)
const subject = await loadSubject(subjectName)
const kit = createKit()
const samples = await chosen.measure({ subject, kit, run: createRunner(subject, kit), quick: quick === 'quick' })
process.stdout.write(`\n${JSON.stringify(samples)}\n`)
