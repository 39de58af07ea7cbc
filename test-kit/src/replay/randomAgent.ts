import {
  type Agent,
  agent,
  approval,
  choice,
  confirm,
  declinable,
  elsewhere,
  reasonAct,
  type Step,
  type ToolContext,
  type ToolSet,
  tool,
} from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { END, graph, inOwnRun, parallel, untilAnswer, value } from '@interleave/core/graph'
import { inOrder, reflect } from '@interleave/core/steps'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { z } from 'zod'

export type Random = () => number

/** An agent that a seed decided. Each description of it goes on with the same models. */
export interface RandomAgent {
  readonly name: string
  describe(): Agent
}

const kinds = ['once', 'ask', 'decline', 'pause', 'fail'] as const
type Deed = (typeof kinds)[number]
const input = z.object({ deeds: z.array(z.enum(kinds)), together: z.boolean() })
const pause = <T>(ms: number, result: T): Promise<T> =>
  ms === 0 ? Promise.resolve(result) : new Promise((resolve) => setTimeout(resolve, ms, result))

/** Does the deeds of its input, one after the other or together. */
async function perform(given: z.infer<typeof input>, { ask, once }: ToolContext): Promise<string> {
  let asked = 0
  const act = (deed: Deed, index: number): Promise<unknown> => {
    if (deed === 'once') return once(`deed ${index}`, () => pause(index, index))
    if (deed === 'pause') return pause(index, index)
    if (deed === 'fail') return Promise.reject(new Error('It fails.'))
    const prompt = `Question ${asked++}?`
    return deed === 'ask' ? ask(choice({ prompt, options: ['a', 'b'] })) : ask(declinable(confirm({ prompt })))
  }
  const results: unknown[] = []
  if (given.together) results.push(...(await Promise.all(given.deeds.map(act))))
  else for (const [index, deed] of given.deeds.entries()) results.push(await act(deed, index))
  return JSON.stringify(results)
}

const chance = (random: Random, share: number): boolean => random() < share
const below = (random: Random, most: number): number => Math.floor(random() * most)
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T

function ownTools(random: Random): ToolSet {
  const approve = oneOf(random, [undefined, approval(), () => approval({ remember: 'tool' })])
  return {
    once: tool({ inputSchema: input, execute: perform }),
    pure: tool({ inputSchema: input, effect: 'readOnly', execute: perform }),
    approved: tool({ inputSchema: input, approve, execute: perform }),
    elsewhere: tool({ inputSchema: input, execute: elsewhere(z.object({ done: z.boolean() })) }),
  }
}

/** Returns some turns with calls, and an answer. */
function turns(random: Random, names: readonly string[], most: number): ScriptedTurn[] {
  const call = () => {
    const name = oneOf(random, names)
    if (name.startsWith('sub')) return { name, input: { task: 'Help.' } }
    const deeds = Array.from({ length: 1 + below(random, 3) }, () => oneOf(random, kinds))
    return { name, input: { deeds, together: chance(random, 0.4) } }
  }
  const turn = () => ({ calls: Array.from({ length: 1 + below(random, 3) }, call) })
  return [...Array.from({ length: 1 + below(random, most) }, turn), 'Done.']
}

/** Returns the models of an agent: a first one that may fail, and one that answers in its place. */
function modelsOf(random: Random, script: readonly ScriptedTurn[]) {
  let at = 0
  const play = (): ScriptedTurn => script[Math.min(at++, script.length - 1)] ?? 'Done.'
  const failing = chance(random, 0.3)
  const failures = Array.from({ length: 20 }, () => failing && chance(random, 0.5))
  const flaky = (): ScriptedTurn => (failures[at] ? new Error('It is down.') : play())
  return () => [scriptedModel(flaky), scriptedModel(play)]
}

/** Describes an agent that calls its tools for some turns. Each of its runs begins the script again. */
function worker(random: Random, name: string, below_: Readonly<Record<string, () => Agent>>): () => Agent {
  const tools = ownTools(random)
  const script = turns(random, [...Object.keys(tools), ...Object.keys(below_)], below_ ? 3 : 2)
  const models = modelsOf(random, script)
  const iterations = chance(random, 0.4) ? 1 + below(random, 3) : 20
  const parallel = chance(random, 0.2) ? 1 : 8
  const reflects = chance(random, 0.3)
  return () => {
    const own: ToolSet = Object.fromEntries(
      Object.entries(below_).map(([key, describe]) => [key, agentTool(describe(), { description: 'Helps.' })]),
    )
    const before: Step[] = reflects ? [reflect({ every: 1, model: scriptedModel(() => 'Go on.') })] : []
    return agent({
      name,
      model: models(),
      tools: { ...tools, ...own },
      backend: reasonAct({ before, limits: { iterations }, act: { parallel } }),
    })
  }
}

/** A graph with branches: one works in the run itself, the others in runs of their own. */
function branching(random: Random): () => Agent {
  const tools = ownTools(random)
  const models = modelsOf(random, turns(random, Object.keys(tools), 2))
  const branches = Array.from({ length: 1 + below(random, 2) }, (_, index) => worker(random, `branch${index}`, {}))
  const talks = chance(random, 0.6)
  return () => {
    const kept = branches.map((_, index) => value(`kept ${index}`, ''))
    const sides: Record<string, Step> = {}
    for (const [index, describe] of branches.entries()) {
      const keep = kept[index] as (typeof kept)[number]
      sides[`b${index}`] = inOwnRun(describe() as Agent<string>, { input: 'Help.', keep })
    }
    if (talks) sides.talk = untilAnswer(inOrder(reasonAct()))
    const join: Step = () => ({ type: 'answer', output: 'ok', reason: 'completed' })
    const nodes = { sides: parallel(sides), join }
    const flow = graph({ name: 'flow', nodes, start: 'sides', edges: { sides: 'join', join: END } })
    return agent({ name: 'branching', model: models(), tools, backend: flow })
  }
}

export function randomAgent(random: Random): RandomAgent {
  if (chance(random, 0.25)) return { name: 'branches', describe: branching(random) }
  const subs = chance(random, 0.4) ? { sub0: worker(random, 'helper', {}) } : {}
  return { name: Object.keys(subs).length > 0 ? 'parent' : 'worker', describe: worker(random, 'a', subs) }
}
