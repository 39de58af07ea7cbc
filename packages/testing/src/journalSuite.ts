import type { Journal } from '@interleave/core/journal'
import { deleteCases } from './journal/deleteCases.ts'
import { idCases } from './journal/idCases.ts'
import { listCases } from './journal/listCases.ts'
import { logCases } from './journal/logCases.ts'
import { ownerCases } from './journal/ownerCases.ts'
import { valueCases } from './journal/valueCases.ts'

export interface JournalCase {
  readonly name: string
  run(): Promise<void>
}

const cases = { ...logCases, ...ownerCases, ...idCases, ...valueCases, ...listCases, ...deleteCases }

/**
 * The requirements of every journal. Pass a function that creates an empty one, and run each case in your test runner.
 * Cases about owners pass for a journal without `claim`.
 *
 * @example
 * for (const { name, run } of journalSuite(() => memoryJournal())) it(name, run)
 */
export function journalSuite(create: () => Journal | Promise<Journal>): readonly JournalCase[] {
  return Object.entries(cases).map(([name, check]) => ({ name, run: async () => check(await create()) }))
}
