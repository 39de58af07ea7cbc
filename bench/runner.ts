import type { Finished, Kit, RunInput, Subject } from './kit.ts'
import { answerOf, toPrompt, toWork, type Work } from './work.ts'

export type Runner = (work: Partial<Work>, options?: RunnerOptions) => Promise<readonly Finished[]>
export interface RunnerOptions extends Pick<RunInput, 'textAnswer'> {
  /** Runs at the same time; 1 by default. */
  readonly atOnce?: number
}

/** Runs a subject and throws if it did anything else than asked: what is wrong has no speed. */
export function createRunner(subject: Subject, kit: Kit): Runner {
  const run = subject.create(kit)
  const { counts } = kit
  return async (partial, { atOnce = 1, ...input } = {}) => {
    const work = toWork(partial)
    const before = { ...counts }
    const all = Array.from({ length: atOnce }, () => run({ prompt: toPrompt(work), ...input }))
    const finished = await Promise.all(all)
    expectSame('model calls', counts.turns - before.turns, (work.iterations + 1) * atOnce)
    expectSame('tool calls', counts.calls - before.calls, work.iterations * work.calls * atOnce)
    for (const { text } of finished) expectSame('text', text, answerOf(work))
    return finished
  }
}

function expectSame(what: string, actual: string | number, expected: string | number): void {
  if (actual !== expected)
    throw new Error(`${what}: ${String(actual).slice(0, 80)} instead of ${String(expected).slice(0, 80)}`)
}
