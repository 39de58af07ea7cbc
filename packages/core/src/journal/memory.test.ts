import { it } from 'vitest'
import { journalSuite } from '../testing/journalSuite.ts'
import { memoryJournal } from './memory.ts'

for (const { name, run } of journalSuite(() => memoryJournal())) it(name, run)
