import type { Agent } from '@interleave/core'
import { savedRun } from '@interleave/core/journal'
import type { RunContext } from '@interleave/core/steps'
import { answered, type Body, inOneCall, inOneStep, sure } from './agents.ts'
import type { Growing } from './growing.ts'

const sizes = [2_000, 4_000, 8_000, 16_000]

const onces: Body = async (work, size) => {
  for (let i = 0; i < size; i++) await work.once(`key ${i}`, () => i)
}
const questions: Body = async (work, size) => {
  for (let i = 0; i < size; i++) await work.ask(`key ${i}`, sure)
}
const notes = async (run: RunContext, size: number): Promise<void> => {
  for (let i = 0; i < size; i++) run.emit({ type: 'noted', key: `key ${i}`, value: i })
}

const started = (name: string, make: (size: number) => Agent): Growing => ({
  name,
  sizes,
  async prepare(size) {
    const worker = make(size)
    return () => () => answered(worker.start('Go'))
  },
})

/** A run that rests with a question after its work, and is resumed: the results are in its log. */
const resumed = (name: string, make: (body: Body, size: number) => Agent): Growing => ({
  name,
  sizes,
  async prepare(size) {
    const body: Body = async (work) => {
      await onces(work, size)
      await work.ask('sure', sure)
    }
    const worker = make(body, size)
    const run = worker.start('Go')
    await run.settled
    return () => {
      const saved = savedRun(structuredClone(run.log))
      return async () => answered(await worker.resume(saved))
    }
  },
})

/** The notes, questions and replies of one call or step. */
export const notesThatGrow: readonly Growing[] = [
  started('once in a call, by keys', (size) => inOneCall(onces, size)),
  resumed('once in a resumed call, by keys', inOneCall),
  started('once in a step, by keys', (size) => inOneStep(onces, size)),
  resumed('once in a resumed step, by keys', inOneStep),
  started('ask and reply in a call, by questions', (size) => inOneCall(questions, size)),
  started('ask and reply in a step, by questions', (size) => inOneStep(questions, size)),
  started('noted by a step, by keys', (size) => inOneStep(notes, size)),
]
