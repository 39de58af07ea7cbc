import type { LanguageModelV4Message } from '@ai-sdk/provider'
import {
  type Agent,
  type Ask,
  agent,
  answer,
  approval,
  choice,
  confirm,
  prices,
  type Run,
  reasonAct,
  tool,
} from '@interleave/core'
import { agentTool, route } from '@interleave/core/agents'
import { END, graph, inOwnRun, parallel, untilAnswer } from '@interleave/core/graph'
import { isOver } from '@interleave/core/internal'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { compact, dropTurns } from '@interleave/core/steps'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import type { ScriptedReply } from '@interleave/testing/internal'
import { z } from 'zod'

/** An agent of some kind, and what it does. `onEffect` is called with each call of a model or tool, as it begins. */
export type SampleAgent = (onEffect: (what: string) => void) => Agent

type Turns = readonly (string | ScriptedReply)[]
const call = (name: string, input: object = {}): ScriptedReply => ({
  text: 'Hm.',
  calls: [{ name, input }],
  usage: { input: 0, output: 0 },
})

/** Says its next line, wherever the conversation was cut. */
const speaker = (onEffect: (what: string) => void, turns: Turns, last: Turns[number] = 'Done.') => {
  const line: ScriptedTurn = ({ prompt }) => {
    onEffect('model')
    return turns[prompt.filter(({ role }) => role === 'assistant').length] ?? last
  }
  return scriptedModel(...Array.from({ length: 300 }, () => line))
}

const toolsFor = (onEffect: (what: string) => void) => {
  const inputSchema = z.object({})
  const act = (name: string) => () => {
    onEffect(name)
    return { text: `done ${name}`, list: [1, null, { deep: true }] }
  }
  return {
    look: tool({ inputSchema, execute: act('look') }),
    charge: tool({ inputSchema, effect: 'atMostOnce', execute: act('charge') }),
    pay: tool({ inputSchema, approve: approval(), effect: 'idempotent', execute: act('pay') }),
    fail: tool({ inputSchema, execute: () => Promise.reject(new Error('broken')) }),
    ask: tool({
      inputSchema,
      execute: async (_, { ask, once }) => {
        const sure = await ask(confirm({ prompt: 'Sure?' }))
        const which = await ask(choice({ prompt: 'Which?', options: ['a', 'b'] }))
        return [sure, which, await once('noted', () => 'once')]
      },
    }),
  }
}

const busy: Turns = [
  { text: 'I look.', reasoning: 'First look.', calls: ['look', 'ask', 'missing'].map((name) => ({ name, input: {} })) },
  call('charge'),
  { calls: ['pay', 'fail'].map((name) => ({ name, input: {} })) },
]
const limits = { iterations: 6 }

/** Agents of every kind that leaves something of its own in a log. */
const sampleAgents: Readonly<Record<string, SampleAgent>> = {
  tools: (onEffect) =>
    agent({
      name: 'busy',
      model: speaker(onEffect, busy),
      tools: toolsFor(onEffect),
      backend: reasonAct({ limits: { iterations: 2 } }),
      prices: prices({ scripted: { input: 1, output: 2 } }),
    }),
  typed: (onEffect) =>
    agent({
      name: 'typed',
      model: speaker(onEffect, [call('look'), call('final_answer', { n: 'x' })], call('final_answer', { n: 1 })),
      tools: toolsFor(onEffect),
      output: answer(z.object({ n: z.number() })),
      backend: reasonAct({ limits }),
    }),
  below: (onEffect) => {
    const tools = toolsFor(onEffect)
    const helper = agent({ name: 'helper', model: speaker(onEffect, busy), tools, backend: reasonAct({ limits }) })
    const help = agentTool(helper, { description: 'Helps.' })
    const model = speaker(onEffect, [call('help', { task: 'Help' }), call('charge')])
    return agent({ name: 'boss', model, tools: { ...tools, help }, backend: reasonAct({ limits }) })
  },
  graph: (onEffect) => {
    const tools = toolsFor(onEffect)
    const own = agent({ name: 'own', model: speaker(onEffect, [call('look')]), tools, backend: reasonAct({ limits }) })
    const backend = graph({
      name: 'two ways',
      nodes: {
        begin: (run) => void run.emit({ type: 'noted', key: 'begun', value: true }),
        sides: parallel({
          left: untilAnswer(reasonAct({ limits })),
          right: inOwnRun(own, { input: () => 'Go right' }),
        }),
        join: () => ({ type: 'answer', output: 'Joined.', reason: 'completed' }),
      },
      start: 'begin',
      edges: { begin: 'sides', sides: 'join', join: END },
    })
    return agent({ name: 'walker', model: speaker(onEffect, busy), tools, backend })
  },
  compaction: (onEffect) => {
    const step = compact({ contextWindow: 2_000, ratio: 0.5, keep: 2, strategies: [dropTurns()] })
    const backend = reasonAct({ before: [step], limits })
    const turns = Array.from({ length: 5 }, (_, n) => call(n % 2 ? 'look' : 'charge'))
    return agent({ name: 'shrinker', model: speaker(onEffect, turns), tools: toolsFor(onEffect), backend })
  },
  route: (onEffect) => {
    const billing = agent({
      name: 'billing',
      model: speaker(onEffect, [call('pay'), 'Paid.']),
      tools: toolsFor(onEffect),
      backend: reasonAct({ limits }),
    })
    const to = (name: string) => call('route_to', { agent: name, reason: 'So.' })
    const model = speaker(onEffect, [to('billing')], to('end'))
    return agent({ name: 'desk', model, backend: route({ agents: { billing }, handOvers: 2 }) })
  },
}

const replyTo = (ask: Ask): unknown =>
  ask.kind === 'choice'
    ? ask.options[0]?.value
    : { approval: { approved: true }, extension: { extend: 4 }, confirm: true }[ask.kind as string]

export interface SampleRun {
  readonly name: string
  readonly id: string
  readonly describe: SampleAgent
  readonly journal: Journal
}

/** Returns one complete run of each kind: with questions and answers, a stop, and a second message. */
export async function sampleRuns(): Promise<readonly SampleRun[]> {
  return Promise.all(
    Object.entries(sampleAgents).map(async ([name, describe]) => {
      const journal = memoryJournal()
      const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const
      const history: LanguageModelV4Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Before' }] }]
      const run = describe(() => {}).start([{ type: 'text', text: 'Go' }, file], { id: name, journal, history })
      await wholeLife(run)
      return { name, id: run.id, describe, journal }
    }),
  )
}

/** The actions of a user on a run: answers, further messages, a stop, a continuation. */
export async function wholeLife(run: Run): Promise<void> {
  await answered(run)
  await run.say('And more')
  void run.stop()
  await run.settled
  if (run.state.signal?.type === 'stopped') run.resume()
  await answered(run)
}

/** Answers whatever is asked, until nothing is. */
export async function answered(run: Run): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const { type } = await run.settled
    if (isOver(type)) return
    const [ask] = run.state.asks
    if (ask) await run.reply(ask.id, replyTo(ask))
  }
}
