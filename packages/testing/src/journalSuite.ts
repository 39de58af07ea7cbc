import { checkArgument } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { listCases, logCases, valueCases } from './journal/logCases.ts'
import { deleteCases, idCases, ownerCases } from './journal/ownerCases.ts'

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
  checkArgument(create, 'argument of journalSuite()', 'a function')
  return Object.entries(cases).map(([name, check]) => ({ name, run: async () => check(await create()) }))
}
