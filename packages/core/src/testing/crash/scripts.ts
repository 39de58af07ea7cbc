import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agentTool, delegate, type ExternalEvent, type ExternalTurn, route } from '../../agents/index.ts'
import { AgentError } from '../../error.ts'
import { END, graph, inOwnRun, router, untilAnswer, value } from '../../graph/index.ts'
import {
  type Agent,
  type Ask,
  agent,
  confirm,
  onText,
  type Run,
  type RunState,
  reasonAct,
  type Step,
} from '../../index.ts'
import type { Schema } from '../../schema.ts'
import { allow, compact, dropTurns, enforce, guardInput, limit, reflect, rewrite, validate } from '../../steps/index.ts'
import { textMode } from '../../text/index.ts'
import { deedTools } from './deedTools.ts'
import { type Lines, speaker } from './speaker.ts'
import type { Describe, Life } from './world.ts'

/** A run as it is to go, with what a person does in it. */
export interface Script {
  readonly name: string
  readonly describe: Describe
  /** By default a person allows everything and takes the first option. */
  readonly reply?: (ask: Ask) => unknown
  readonly acts?: readonly Act[]
  /** Calls during which a person acts: what comes of them depends on who was first. */
  readonly raced?: readonly string[]
  /** Turns that may be asked for at the same time; 1 by default. */
  readonly sideBySide?: number
  /** A journal that refuses ends its turn, and another turn follows: nothing to compare. */
  readonly endsUnkept?: true
}

/** Something that a person does while the run works, until it is done. */
export interface Act {
  readonly when: (state: RunState) => boolean
  readonly isDone: (state: RunState) => boolean
  readonly act: (run: Run) => unknown
}

type Options = Partial<Parameters<typeof agent>[0]>

const described = (life: Life, lines: Lines, options: Options = {}): Agent =>
  agent({ name: 'a', model: speaker(life, 'a', lines), tools: deedTools(life), ...options } as never)

const down = new AgentError('model_failed', 'It is down.', { retryable: true })

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

const below: Script = {
  name: 'agents below',
  sideBySide: 3,
  describe: (life) => {
    const tools = deedTools(life)
    const lowest = agent({
      name: 'lowest',
      model: speaker(life, 'lowest', [{ calls: [['charge'], ['look']] }]),
      tools,
    })
    const deep = agentTool(lowest, { description: 'Helps.' })
    const lines: Lines = [{ calls: [['book'], ['deep', { task: 'Dig' }]] }, { calls: [['pay']] }]
    const helper = agent({ name: 'helper', model: speaker(life, 'helper', lines), tools: { ...tools, deep } })
    const help = agentTool(helper, { description: 'Helps.' })
    const own: Lines = [{ calls: [['help', { task: 'Help' }], ['charge']] }]
    return described(life, own, { tools: { ...tools, help } } as Options)
  },
}

const routed: Script = {
  name: 'a route',
  describe: (life) => {
    const tools = deedTools(life)
    const billing = agent({ name: 'billing', model: speaker(life, 'b', [{ calls: [['pay']] }, 'Paid.']), tools })
    const support = agent({ name: 'support', model: speaker(life, 's', [{ calls: [['charge']] }, 'Helped.']), tools })
    const to = (name: string) => ({ calls: [['route_to', { agent: name, reason: 'So.' }]] as const })
    /** It decides by who has spoken, since its own words are not part of the conversation. */
    const doStream: LanguageModelV4['doStream'] = (call) => {
      const text = JSON.stringify(call.prompt)
      const name = text.includes('[s 1]') ? 'end' : text.includes('[b 1]') ? 'support' : 'billing'
      return speaker(life, `desk ${name}`, [to(name)]).doStream(call)
    }
    const model = { ...speaker(life, 'desk', []), doStream }
    return agent({ name: 'desk', model, backend: route({ agents: { billing, support } }) })
  },
}

const delegated: Script = {
  name: 'an external agent',
  endsUnkept: true,
  describe: (life) => {
    /** It lives elsewhere, so it knows what it has done, whatever becomes of us. */
    async function* run({ sessionId, ask }: ExternalTurn): AsyncGenerator<ExternalEvent> {
      await life.does({ kind: 'model', name: 'coder', key: 'coder' })
      if (sessionId === undefined) yield { type: 'session', id: 's' }
      yield { type: 'text', delta: 'I look. ' }
      const may = await ask('edit', confirm({ prompt: 'May I?' }))
      const edit = { kind: 'inner', name: 'edit', key: 'r/edit' } as const
      if (may && life.times(edit) === 0) await life.does(edit)
      yield { type: 'text', delta: 'Edited.' }
      yield { type: 'done' }
    }
    return agent({ name: 'dev', backend: delegate({ name: 'coder', run }) })
  },
}

const walked: Script = {
  name: 'a graph',
  sideBySide: 2,
  describe: (life) => {
    const tools = deedTools(life)
    const rounds = value('rounds', 0)
    const own = agent({ name: 'own', model: speaker(life, 'own', [{ calls: [['charge'], ['look']] }]), tools })
    const sure: Step = async (run) => {
      await run.once(`paid ${rounds.get(run)}`, async () => {
        await life.does({ kind: 'inner', name: 'paid', key: `${rounds.get(run)}` })
        return 'paid'
      })
      await run.ask(`sure ${rounds.get(run)}`, confirm({ prompt: 'Sure?' }))
      return undefined
    }
    const backend = graph({
      name: 'flow',
      nodes: {
        write: untilAnswer(reasonAct(), { say: 'Write.' }),
        split: () => undefined,
        sure,
        right: inOwnRun(own, { input: 'Go right' }),
        join: (run) => rounds.set(run, rounds.get(run) + 1),
        done: () => ({ type: 'answer', output: 'Done.', reason: 'completed' }),
      },
      start: 'write',
      edges: {
        write: 'split',
        split: ['sure', 'right'],
        sure: 'join',
        right: 'join',
        join: router(['write', 'done'], (run) => (rounds.get(run) < 2 ? 'write' : 'done')),
        done: END,
      },
    })
    return described(life, [{ calls: [['charge']] }, 'One.', { calls: [['look']] }, 'Two.'], { backend } as Options)
  },
}

const limited: Script = {
  name: 'limits',
  describe: (life) =>
    described(
      life,
      Array.from({ length: 5 }, (_, n) => ({ calls: [['charge', { n }], ['book']] as const })),
      { backend: reasonAct({ limits: limit({ toolCalls: 4, iterations: 4 }, { remindAt: 0.7 }) }) } as Options,
    ),
  reply: (ask) => (ask.kind === 'extension' ? { extend: 3 } : undefined),
}

const written: Script = {
  name: 'text mode',
  describe: (life) => {
    const line = (name: string) => ({ text: `Thought: # I act.\nAction: ${name}\nAction Input: {"n": 3}` })
    const inner = speaker(life, 'a', [line('charge'), line('book'), { text: 'Thought: # I know.\nFinal Answer: Yes.' }])
    return described(life, [], { model: textMode(inner) } as Options)
  },
}

/** By hand, as the inputs of tools. */
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
  acts: [
    {
      when: (state) => call(state, '1/tool/0')?.calledAt !== undefined && !call(state, '1/tool/0')?.result,
      isDone: (state) => state.rest?.type === 'stopped' || state.iteration > 1,
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

export const scripts: readonly Script[] = [
  plain,
  parallel,
  asking,
  approvals,
  retries,
  compaction,
  below,
  routed,
  delegated,
  walked,
  limited,
  written,
  typed,
  judged,
  interrupted,
  stopped,
  streaming,
]
