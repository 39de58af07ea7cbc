import type { Schema } from '@interleave/core'
import { AgentError, onText, reasonAct } from '@interleave/core'
import { allow, compact, dropTurns, enforce, guardInput, reflect, rewrite, validate } from '@interleave/core/steps'
import { described, type Options, type Script } from './script.ts'
import { type Lines, speaker } from './speaker.ts'

const down = new AgentError('model_failed', 'It is down.', { retryable: true })

const retries: Script = {
  name: 'a model that fails',
  describe: (life) => {
    const lines: Lines = [{ calls: [['charge']] }, { fails: down }, { fails: down }]
    const stand = speaker(life, 'b', [{ calls: [['fail']] }, { calls: [['charge']] }])
    return described(life, [], { model: [speaker(life, 'a', lines), stand] } as Options)
  },
}

const compaction: Script = {
  name: 'a compaction',
  describe: (life) => {
    const step = compact({ contextWindow: 1_200, ratio: 0.5, keep: 2, strategy: dropTurns() })
    const turns = Array.from({ length: 6 }, (_, n) => ({
      text: 'Hm. '.repeat(60),
      calls: [['charge', { n }]] as const,
    }))
    return described(life, turns, { backend: reasonAct({ before: [step] }) } as Options)
  },
}

/** Written by hand, like the inputs of tools. */
const sum = {
  jsonSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  validate: (value: { readonly sum?: unknown } | undefined) =>
    typeof value?.sum === 'number' ? { success: true, value } : { success: false, error: new Error('no sum') },
} as unknown as Schema

const typed: Script = {
  name: 'a final answer',
  describe: (life) =>
    described(
      life,
      [
        { text: 'I talk.' },
        { calls: [['charge']] },
        { text: 'I talk again.' },
        { calls: [['final_answer', { sum: 'x' }]] },
        { calls: [['final_answer', { sum: 3 }]] },
      ],
      { output: sum, backend: reasonAct({ otherwise: enforce() }) } as Options,
    ),
}

const judged: Script = {
  name: 'guards and judges',
  describe: (life) => {
    const guard = guardInput((content) => (content === 'Go' ? rewrite('Go, please') : allow))
    const critic = { ...speaker(life, 'critic', ['Look closer.']), modelId: 'critic' }
    const stop = validate(onText(), (output) => (String(output).includes('better') ? undefined : 'Do better.'))
    const backend = reasonAct({ before: [guard, reflect({ every: 1, model: critic, most: 2 })], stop })
    return described(life, [{ calls: [['charge']] }, { calls: [['look']] }, 'Good.', 'better'], { backend } as Options)
  },
}

/** Scripts of turns of a model, and of what steps make of them. */
export const modelScripts: readonly Script[] = [retries, compaction, typed, judged]
