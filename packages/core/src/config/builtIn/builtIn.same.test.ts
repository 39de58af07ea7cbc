import { expect, it } from 'vitest'
import { z } from 'zod'
import { END, graph, router, untilAnswer, value } from '../../graph/index.ts'
import {
  type Agent,
  agent,
  agentTool,
  askUser,
  bundle,
  delegate,
  type ExternalAgent,
  firstOf,
  onConfidence,
  onFinalAnswer,
  onText,
  reasonAct,
  route,
  tool,
} from '../../index.ts'
import {
  allow,
  block,
  compact,
  dropTurns,
  enforce,
  forceAction,
  guardCalls,
  guardInput,
  guardOutput,
  inTurn,
  keepImportant,
  limit,
  noRepeats,
  postprocess,
  type RunContext,
  redactEmails,
  reflect,
  remember,
  retryCompacted,
  searchMemory,
  validate,
} from '../../steps/index.ts'
import type { ScriptedModel, ScriptedTurn } from '../../testing/index.ts'
import { textMode } from '../../text/index.ts'
import { loadAgents, type RegistryOptions, registry } from '../index.ts'
import { traceOf } from '../traceOf.ts'

const search = tool({ inputSchema: z.object({}), effect: 'pure', execute: () => 'Found nothing. '.repeat(50) })
const mail = tool({ inputSchema: z.object({}), effect: 'pure', execute: () => 'Write to ada@example.com.' })
const searching = { calls: [{ name: 'search', input: {} }] }
const score = value('score', 0)
const functions = {
  noFire: (message: unknown) => (message === 'Fire' ? block('No fire.') : allow),
  noSearch: () => block('No searching.'),
  short: (answer: unknown) => (String(answer).length > 10 ? 'It is too long.' : undefined),
  shout: (answer: unknown) => String(answer).toUpperCase(),
  goodEnough: (run: RunContext) => (score.get(run) === ('Good.' as never) ? END : 'write'),
}

interface Case {
  readonly text: string
  readonly byHand: (model: ScriptedModel) => Agent
  readonly turns: readonly ScriptedTurn[]
  readonly shows: string
}

async function expectSame({ text, byHand, turns, shows }: Case, given: RegistryOptions = {}): Promise<void> {
  const known = { tools: { search }, functions, ...given }
  const load = (fast: ScriptedModel) => loadAgents(text, registry({ ...known, models: { fast } })).a as Agent
  const [declared, coded] = [await traceOf(load, turns), await traceOf(byHand, turns)]

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain(shows)
}

it('guards messages, calls and answers', () =>
  expectSame({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        stop:
          postprocess:
            stop:
              guardOutput:
                stop: { validate: { stop: onText, check: short, attempts: 1 } }
                check: noFire
                name: fire
            change: shout
        before: [{ guardInput: { check: noFire } }]
        between: [{ guardCalls: { check: noSearch } }]
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          stop: postprocess(
            guardOutput(validate(onText(), functions.short, { attempts: 1 }), functions.noFire, { name: 'fire' }),
            functions.shout,
          ),
          before: [guardInput(functions.noFire)],
          between: [guardCalls(functions.noSearch)],
        }),
      }),
    turns: [searching, 'This is much too long.', 'Fine.'],
    shows: 'answer "FINE."',
  }))

it('ends in order, and not in circles', () =>
  expectSame({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        stop: { firstOf: [onFinalAnswer, { onConfidence: { threshold: 0.8 } }] }
        before: [{ forceAction: { after: 2 } }]
        between: [{ noRepeats: { times: 2, within: 9, except: [other] } }]
        otherwise: { enforce: { attempts: 1, whenExhausted: fail } }
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          stop: firstOf(onFinalAnswer(), onConfidence({ threshold: 0.8 })),
          before: [forceAction({ after: 2 })],
          between: [noRepeats({ times: 2, within: 9, except: ['other'] })],
          otherwise: enforce({ attempts: 1, whenExhausted: 'fail' }),
        }),
      }),
    turns: ['Hm.', searching, searching, searching],
    shows: 'rested failed call_repeated',
  }))

it('compacts what the model is given', () =>
  expectSame({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        before:
          - compact: { contextWindow: 900, ratio: 0.5, keep: 1, strategy: { inTurn: [keepImportant, dropTurns] } }
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          before: [
            compact({ contextWindow: 900, ratio: 0.5, keep: 1, strategy: inTurn(keepImportant(), dropTurns()) }),
          ],
        }),
      }),
    turns: [searching, searching, { ...searching, usage: { input: 800 } }, 'Done.'],
    shows: 'compacted',
  }))

it('looks back, and takes addresses out of what it found', () =>
  expectSame(
    {
      text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [mail]
    backend:
      retryCompacted:
        backend:
          reasonAct:
            limits: { limit: { iterations: 9, remindAt: 0.2, lastTurn: reserved } }
            before: [{ redactEmails: { mark: '[who]' } }, { reflect: { every: 1, most: 1, model: fast, name: x } }]
`,
      byHand: (model) =>
        agent({
          name: 'a',
          model,
          tools: { mail },
          backend: retryCompacted(
            reasonAct({
              limits: limit({ iterations: 9 }, { remindAt: 0.2, lastTurn: 'reserved' }),
              before: [redactEmails({ mark: '[who]' }), reflect({ every: 1, most: 1, model, name: 'x' })],
            }),
          ),
        }),
      turns: [
        { calls: [{ name: 'mail', input: {} }] },
        'It goes well.',
        { calls: [{ name: 'mail', input: {} }] },
        'Done.',
      ],
      shows: 'addresses are redacted',
    },
    { tools: { mail } },
  ))

it('remembers', () => {
  const memory = () => searchMemory({ items: [{ id: '1', namespace: 'ada', text: 'Go to Graz.', at: 0 }] })
  return expectSame(
    {
      text: `
interleave: 1
agents:
  a:
    model: fast
    backend: { remember: { backend: reasonAct, memory: notes, namespace: ada, limit: 1 } }
  b:
    model: fast
    backend: { remember: { backend: reasonAct, memory: { searchMemory: { maxItems: 9 } }, namespace: { function: shout } } }
`,
      byHand: (model) =>
        agent({ name: 'a', model, backend: remember(reasonAct(), { memory: memory(), namespace: 'ada', limit: 1 }) }),
      turns: ['Done.'],
      shows: 'Graz',
    },
    { memories: { notes: memory() } },
  )
})

it('leaves the work to an agent that runs elsewhere', () => {
  const coder: ExternalAgent = {
    name: 'coder',
    async *run() {
      yield { type: 'text', delta: 'Coded.' }
      yield { type: 'done' }
    },
  }
  return expectSame(
    {
      text: 'interleave: 1\nagents: { a: { backend: { delegate: { external: coder, idleMs: 1000 } } } }',
      byHand: () => agent({ name: 'a', backend: delegate(coder, { idleMs: 1_000 }) }),
      turns: [],
      shows: 'answer "Coded."',
    },
    { externals: { coder } },
  )
})

it('walks graphs, with agents for nodes', () =>
  expectSame({
    text: `
interleave: 1
agents:
  writer: { model: fast, instructions: Write. }
  critic: { model: fast, instructions: Judge. }
  a:
    model: fast
    backend:
      graph:
        name: essay
        start: write
        nodes:
          write: { agent: writer }
          judge: { untilAnswer: { node: { agent: critic }, say: Judge it., keep: { value: { key: score, initial: 0 } } } }
        edges:
          write: judge
          judge: { router: { targets: [write, END], choose: goodEnough } }
`,
    byHand(model) {
      const [writer, critic] = [
        agent({ name: 'writer', model, instructions: 'Write.' }),
        agent({ name: 'critic', model, instructions: 'Judge.' }),
      ]
      const essay = graph({
        name: 'essay',
        start: 'write',
        nodes: { write: writer, judge: untilAnswer(critic, { say: 'Judge it.', keep: score as never }) },
        edges: { write: 'judge', judge: router(['write', END], functions.goodEnough as never) },
      })
      return agent({ name: 'a', model, backend: essay })
    },
    turns: ['A draft.', 'Bad.', 'A better draft.', 'Good.'],
    shows: 'answer "Good."',
  }))

it('routes to agents', () =>
  expectSame({
    text: `
interleave: 1
agents:
  a:
    model: fast
    backend:
      route: { handBack: false, by: json, agents: { billing: billing, support: { agent: support, when: It broke. } } }
  billing: { model: fast }
  support: { model: fast, instructions: Help. }
`,
    byHand(model) {
      const support = { agent: agent({ name: 'support', model, instructions: 'Help.' }), when: 'It broke.' }
      const agents = { billing: agent({ name: 'billing', model }), support }
      return agent({ name: 'a', model, backend: route({ handBack: false, by: 'json', agents }) })
    },
    turns: ['{"agent": "support", "reason": "It broke."}', 'Turn it off and on.'],
    shows: 'answer "Turn it off and on."',
  }))

it('gives agents and bundles as tools', () =>
  expectSame({
    text: `
interleave: 1
agents:
  helper: { model: fast, instructions: Help. }
  a:
    model: fast
    tools:
      help: { agentTool: { agent: helper, description: Helps., maxDepth: 2 } }
      more: { bundle: { description: More tools., tools: { look: search, ask: askUser } } }
`,
    byHand(model) {
      const helper = agent({ name: 'helper', model, instructions: 'Help.' })
      const tools = {
        help: agentTool(helper, { description: 'Helps.', maxDepth: 2 }),
        more: bundle({ description: 'More tools.', tools: { look: search, ask: askUser() } }),
      }
      return agent({ name: 'a', model, tools })
    },
    turns: [
      { calls: [{ name: 'help', input: { task: 'Think.' } }] },
      'I thought.',
      { calls: [{ name: 'more', input: {} }] },
      { calls: [{ name: 'look', input: {} }] },
      'Done.',
    ],
    shows: '"I thought."',
  }))

it('makes a model call tools that only writes', () =>
  expectSame({
    text: `
interleave: 1
agents:
  a:
    model: { textMode: { model: fast, format: mrkl, labels: { thought: Idea } } }
    tools: [search]
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model: textMode(model, { format: 'mrkl', labels: { thought: 'Idea' } }),
        tools: { search },
      }),
    turns: ['Idea: I look.\nAction: search\nAction Input: {}', 'Idea: I know.\nFinal Answer: 42'],
    shows: 'answer',
  }))
