import { demand, isOptional } from '../demand.ts'
import type { GivenContent } from '../filePart.ts'
import { isAgent } from '../isAgent.ts'
import { isBlank } from '../part.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { runChild } from '../runChild.ts'
import { visitOf } from './inVisit.ts'
import type { Value } from './value.ts'

export interface InOwnRunOptions<Output> {
  /** The agent's message. It knows nothing else of this run. */
  input: string | ((run: RunContext) => GivenContent)
  /** Where the answer is kept, for the nodes after this one. */
  keep?: Pick<Value<Output>, 'set'>
}

/**
 * Makes a node whose agent works in a child run with its own log, so that agents can think concurrently in the branches
 * of a fork. Each visit is a new run; a resumed visit resumes its run. This run asks the child's questions.
 */
export function inOwnRun<Output>(agent: Agent<Output>, { input, keep }: InOwnRunOptions<Output>): Step {
  demand(isAgent(agent), 'inOwnRun() takes an agent. Describe one with agent({ … }).')
  demand(
    input && isOptional(input, 'string', 'function'),
    'inOwnRun() needs an input: a text, or a function that writes one.',
  )
  return async (run) => {
    const visit = visitOf(run)
    const key = visit ? `${visit.key}/${visit.number}` : `request/${run.state.request.seq}`
    const content = typeof input === 'function' ? input(run) : input
    demand(!isBlank(content), `The input of the agent "${agent.name}" is empty.`)
    const signal = await runChild(run, { key, agent, input: content })
    if (signal.type === 'answer') keep?.set(run, signal.output)
    return signal
  }
}
