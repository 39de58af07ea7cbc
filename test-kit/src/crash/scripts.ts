import { AgentError, answer, type RunState, reasonAct, textAnswer } from '@interleave/core'
import { schemaBy } from '@interleave/core/internal'
import {
  allow,
  compact,
  dropTurns,
  enforce,
  guardInput,
  limit,
  reflect,
  rewrite,
  validate,
} from '@interleave/core/steps'
import { textMode } from '@interleave/text'
import { agentScripts } from './agentScripts.ts'
import { described, type Script } from './script.ts'
import { type Lines, speaker } from './speaker.ts'

const plain: Script = {
  name: 'a tool after another',
  describe: (life) => described(life, [{ calls: [['charge']] }, { calls: [['look']] }]),
}

const parallel: Script = {
  name: 'tools side by side',
  describe: (life) =>
    described(life, [
      { calls: [['charge', { n: 1 }], ['set'], ['look'], ['charge', { n: 2 }]] },
      { calls: [['fail'], ['missing'], ['charge', { n: 'wrong' }]] },
    ]),
}

const asking: Script = {
  name: 'a tool that asks',
  describe: (life) => described(life, [{ calls: [['book']] }, { calls: [['book'], ['charge']] }]),
}

const approvals: Script = {
  name: 'approvals',
  describe: (life) =>
    described(life, [{ calls: [['pay', { n: 1 }], ['charge'], ['pay', { n: 2 }]] }, { calls: [['pay', { n: 3 }]] }]),
  reply: (ask) =>
    ask.id === '1/tool/0/approval'
      ? { approved: true, input: { n: 10 } }
      : { approved: ask.id !== '1/tool/2/approval', reason: 'No.' },
}

const limited: Script = {
  name: 'limits',
  describe: (life) =>
    described(
      life,
      Array.from({ length: 5 }, (_, n) => ({ calls: [['charge', { n }], ['book']] as const })),
      { backend: reasonAct({ limits: limit({ toolCalls: 4, iterations: 4 }, { remindAt: 0.7 }) }) },
    ),
  reply: (ask) => (ask.kind === 'extension' ? { extend: 3 } : undefined),
}

const written: Script = {
  name: 'text mode',
  describe: (life) => {
    const line = (name: string) => ({ text: `Thought: # I act.\nAction: ${name}\nAction Input: {"n": 3}` })
    const inner = speaker(life, 'a', [line('charge'), line('book'), { text: 'Thought: # I know.\nFinal Answer: Yes.' }])
    return described(life, [], { model: textMode(inner) })
  },
}

const down = new AgentError('model_failed', 'It is down.', { retryable: true })

const retries: Script = {
  name: 'a model that fails',
  describe: (life) => {
    const lines: Lines = [{ calls: [['charge']] }, { fails: down }, { fails: down }]
    const stand = speaker(life, 'b', [{ calls: [['fail']] }, { calls: [['charge']] }])
    return described(life, [], { model: [speaker(life, 'a', lines), stand] })
  },
}

const compaction: Script = {
  name: 'a compaction',
  describe: (life) => {
    const step = compact({ contextWindow: 1_200, ratio: 0.5, keep: 2, strategies: [dropTurns()] })
    const turns = Array.from({ length: 6 }, (_, n) => ({
      text: 'Hm. '.repeat(60),
      calls: [['charge', { n }]] as const,
    }))
    return described(life, turns, { backend: reasonAct({ before: [step] }) })
  },
}

/** Written by hand, like the inputs of tools. */
const sum = schemaBy<unknown>(
  { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  (value) => (typeof Object(value).sum === 'number' ? value : undefined),
  'no sum',
)

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
      { output: answer(sum), backend: reasonAct({ otherwise: enforce() }) },
    ),
}

const judged: Script = {
  name: 'guards and judges',
  describe: (life) => {
    const guard = guardInput((content) => (content === 'Go' ? rewrite('Go, please') : allow))
    const critic = { ...speaker(life, 'critic', ['Look closer.']), modelId: 'critic' }
    const stop = validate(textAnswer(), (output) => (String(output).includes('better') ? undefined : 'Do better.'))
    const backend = reasonAct({ before: [guard, reflect({ every: 1, model: critic, most: 2 })], stop })
    return described(life, [{ calls: [['charge']] }, { calls: [['look']] }, 'Good.', 'better'], { backend })
  },
}

const saidIn = ({ history, pending }: RunState, text: string): boolean =>
  [...history.flat(), ...pending].some((entry) => entry.type === 'said' && entry.content === text)

const interrupted: Script = {
  name: 'a message in the middle',
  describe: (life) =>
    described(life, [{ calls: [['charge']] }, { calls: [['look']] }, { calls: [['charge']] }, { calls: [['look']] }]),
  acts: [
    {
      when: ({ iteration }) => iteration >= 1,
      isDone: (state) => saidIn(state, 'Be quick'),
      act: (run) => run.say('Be quick'),
    },
  ],
}

const call = (state: RunState, key: string) =>
  state.history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls.filter((each) => each.key === key) : []))[0]

const stopped: Script = {
  name: 'a stop',
  describe: (life) => described(life, [{ calls: [['charge'], ['set']] }, { calls: [['charge']] }]),
  raced: ['1/tool/0', '1/tool/1'],
  late: ['1/tool/1'],
  acts: [
    {
      when: (state) => call(state, '1/tool/0')?.claimedAt !== undefined && !call(state, '1/tool/0')?.result,
      isDone: (state) => state.signal?.type === 'stopped' || state.iteration > 1,
      act: (run) => run.stop(),
    },
  ],
}

const streaming: Script = {
  name: 'a stop of a turn',
  describe: (life) => described(life, [{ calls: [['charge']] }, 'Well.', 'Done.']),
  acts: [
    {
      when: ({ draft, iteration }) => iteration === 1 && draft?.text?.includes('Well') === true,
      isDone: ({ iteration }) => iteration > 1,
      act: (run) => run.stop(),
    },
  ],
}

/** Runs with everything that leaves something of its own in a log. */
export const scripts: readonly Script[] = [
  ...[plain, parallel, asking, approvals, limited, written],
  ...[retries, compaction, typed, judged],
  ...agentScripts,
  ...[interrupted, stopped, streaming],
]
