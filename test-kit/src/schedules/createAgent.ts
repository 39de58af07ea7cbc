import { type Agent, agent, confirm, reasonAct, type Step, type ToolSet } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { allowForGood } from '@interleave/core/steps'
import { heldModel } from './heldModel.ts'
import type { Life } from './life.ts'
import type { Mutation } from './mutation.ts'
import type { Scenario } from './scenario.ts'
import { scheduleGraph } from './scheduleGraph.ts'
import { scheduleTools } from './scheduleTools.ts'

/** The agent of a scenario, as one page describes it. */
export function createAgent(
  life: Life,
  { turns, childTurns, hasSteps, hasStore, hasGraph }: Scenario,
  mutation: Mutation,
): Agent {
  const original = scheduleTools(life)
  const tools = mutation.tools?.(original, life) ?? original
  const mutated = (backend: Step): Step => mutation.backend?.(backend, life) ?? backend
  const helper =
    childTurns && agent({ name: 'helper', model: heldModel(life, childTurns), tools, backend: mutated(reasonAct()) })
  const store = mutation.allowed?.(life.allowed, life) ?? life.allowed
  const offering = (backend: Step): Step => (hasStore ? allowForGood(backend, { store }) : backend)
  const working = reasonAct({ before: hasSteps ? [twoCallers(life)] : [] })
  return agent({
    name: 'schedules',
    model: heldModel(life, turns, (turn) => life.witness.requests(turn)),
    tools: helper ? { ...tools, delegate: delegate(life, helper) } : tools,
    backend: offering(mutated(hasGraph ? scheduleGraph(life, working) : working)),
  })
}

/** A child run, whose events its page receives too. */
const delegate = (life: Life, helper: Agent): ToolSet[string] =>
  agentTool(helper, {
    description: 'Helps.',
    observers: [(event, { runId }) => life.onChildEvent(life.pathOf(runId), event)],
  }) as never

/** A step in which two callers use one key of `once`, and two ask the same question. */
function twoCallers(life: Life): Step {
  return async (run) => {
    if (run.state.iteration > 0) return undefined
    const caller = async (name: string): Promise<void> => {
      await life.gates.pass(`${name} caller`)
      const value = await run.once('rate', async () => {
        await life.gates.pass('rate')
        return life.fresh()
      })
      life.witness.promises(`once rate, ${name} caller,`, (event) => event.type === 'noted' && event.value === value)
      life.witness.does({ call: 'rate', part: name, isOnce: false, value })
      await run.ask('sure', confirm({ prompt: 'Sure?' }))
      life.witness.promises(`ask sure, ${name} caller,`, (event) => event.type === 'replied' && event.ask === 'sure')
    }
    await Promise.all([caller('first'), caller('second')])
    return undefined
  }
}
