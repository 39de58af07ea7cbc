import { type Agent, agent, confirm, reasonAct, type Step } from '@interleave/core'
import { heldModel } from './heldModel.ts'
import type { Life } from './life.ts'
import type { Mutation } from './mutation.ts'
import type { Scenario } from './scenario.ts'
import { scheduleTools } from './scheduleTools.ts'

/** The agent of a scenario, as one page describes it. */
export function createAgent(life: Life, { turns, hasSteps }: Scenario, mutation: Mutation): Agent {
  const tools = scheduleTools(life)
  const backend = reasonAct({ before: hasSteps ? [twoCallers(life)] : [] })
  return agent({
    name: 'schedules',
    model: heldModel(life, turns),
    tools: mutation.tools?.(tools, life) ?? tools,
    backend: mutation.backend?.(backend, life) ?? backend,
  })
}

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
