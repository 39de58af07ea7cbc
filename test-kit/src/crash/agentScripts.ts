import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agent, confirm, reasonAct, type Step } from '@interleave/core'
import { agentTool, delegate, type ExternalEvent, type ExternalTurn, route } from '@interleave/core/agents'
import { END, graph, inOwnRun, parallel, router, untilAnswer, value } from '@interleave/core/graph'
import { deedTools, described, type Script } from './script.ts'
import { type Lines, speaker } from './speaker.ts'

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
    return described(life, own, { tools: { ...tools, help } })
  },
}

const routed: Script = {
  name: 'a route',
  describe: (life) => {
    const tools = deedTools(life)
    const billing = agent({ name: 'billing', model: speaker(life, 'b', [{ calls: [['pay']] }, 'Paid.']), tools })
    const support = agent({ name: 'support', model: speaker(life, 's', [{ calls: [['charge']] }, 'Helped.']), tools })
    const to = (name: string) => ({ calls: [['route_to', { agent: name, reason: 'So.' }]] as const })
    /** Decides by the speakers so far, since its own text is not part of the conversation. */
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
    /** Runs elsewhere, so it knows what it has done, whatever happens to the page. */
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
        sides: parallel({ sure, right: inOwnRun(own, { input: 'Go right' }) }),
        join: (run) => rounds.set(run, rounds.get(run) + 1),
        done: () => ({ type: 'answer', output: 'Done.', reason: 'completed' }),
      },
      start: 'write',
      edges: {
        write: 'sides',
        sides: 'join',
        join: router(['write', 'done'], (run) => (rounds.get(run) < 2 ? 'write' : 'done')),
        done: END,
      },
    })
    return described(life, [{ calls: [['charge']] }, 'One.', { calls: [['look']] }, 'Two.'], { backend })
  },
}

/** Scripts of agents that work together, and of graphs. */
export const agentScripts: readonly Script[] = [below, routed, delegated, walked]
