import { createKit, type Subject } from '../kit.ts'
import { createRunner } from '../runner.ts'
import type { Work } from '../work.ts'

declare global {
  /** Does the same work so many times; called from outside of the page. */
  var repeat: (work: Partial<Work>, times: number) => Promise<void>
}

/** Makes a page ready to run a subject. */
export function serve(subject: Subject): void {
  const run = createRunner(subject, createKit())
  globalThis.repeat = async (work, times) => {
    for (let i = 0; i < times; i++) await run(work)
  }
}
