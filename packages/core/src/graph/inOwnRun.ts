import { checkOptions, DEV } from '#checks'
import { runChild } from '../children/child.ts'
import { assertOption } from '../options.ts'
import { isBlank, type UserContent } from '../part.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { handsTo, isAgent } from '../step.ts'
import { type Value, visitOf } from './visit.ts'

export interface InOwnRunOptions<Output> {
  /** The agent's message. It sees nothing else of this run. */
  input: string | ((run: RunContext) => UserContent)
  /** The value that stores the answer, for the nodes after this one. */
  keep?: Pick<Value<Output>, 'set'>
}

/**
 * Makes a node whose agent works in a child run with its own log, so that agents can think concurrently in the branches
 * of `parallel()`. Each visit is a new run; a resumed visit resumes its run. This run asks the child's questions.
 */
export function inOwnRun<Output>(agent: Agent<Output>, options: InOwnRunOptions<Output>): Step {
  checkOptions('inOwnRun()', options, ['input', 'keep'])
  const { input, keep } = options
  assertOption(isAgent(agent), DEV && 'inOwnRun() takes an agent. Describe one with agent({ … }).')
  assertOption(input, DEV && 'inOwnRun() needs an `input`: a string, or a function that returns one.')
  const step: Step = async (run) => {
    const visit = visitOf(run)
    const key = visit ? `${visit.key}/${visit.number}` : `request/${run.state.request.seq}`
    const content = typeof input === 'function' ? input(run) : input
    assertOption(!isBlank(content), DEV && `The input of the agent "${agent.name}" is empty.`)
    const signal = await runChild(run, { key, agent, input: content })
    if (signal.type === 'answer') keep?.set(run, signal.output)
    return signal
  }
  // A permission for one agent applies to all child runs of that name.
  return handsTo(step, [agent])
}
