import { demand, isOptional } from '../demand.ts'
import { derive } from '../derive.ts'
import { AgentError } from '../error.ts'
import { isAgent } from '../isAgent.ts'
import { needsOf } from '../needsOf.ts'
import { awaitsThought, openCalls } from '../openCalls.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { visitOf } from './inVisit.ts'
import { asThinking } from './thinking.ts'
import type { Value } from './value.ts'

export interface UntilAnswerOptions<Output> {
  /** The model's message when the visit starts. By default, if no message is pending, the node's name. */
  say?: string | ((run: RunContext) => string)
  /** Where the answer is kept, for the nodes after this one. */
  keep?: Pick<Value<Output>, 'set'>
}

/**
 * Makes a node that repeats until it has an answer: a whole backend such as `reasonAct()`, of which one call is only
 * one pass, or another agent, with its own model, instructions and tools, in the same conversation.
 */
export function untilAnswer<Output = unknown>(
  node: Step | Agent<Output>,
  { say, keep }: UntilAnswerOptions<Output> = {},
): Step {
  demand(typeof node === 'function' || isAgent(node), 'untilAnswer() takes a step such as reasonAct(), or an agent.')
  demand(isOptional(say, 'string', 'function'), 'untilAnswer({ say }): give a text, or a function that writes one.')
  const backend = isAgent(node) ? node.backend : node
  const step = async (outer: RunContext): Promise<Signal | undefined> => {
    const run = isAgent(node) ? derive(outer, { agent: node }) : outer
    tell(run, say)
    const signal = await passes(run, backend)
    if (signal?.type === 'answer') keep?.set(run, signal.output as Output)
    return signal
  }
  return asThinking(Object.assign(step, isAgent(node) ? needsOfAgent(node) : needsOf(node)))
}

/** The tools and the models of another agent are its own. */
const needsOfAgent = ({ tools, backend }: Agent): Partial<Step> => ({
  mayCall: backend.mayCall || Object.keys(tools).length > 0,
  ownModel: true,
})

async function passes(run: RunContext, backend: Step): Promise<Signal | undefined> {
  for (;;) {
    const before = run.state.seq
    const signal = await backend(run)
    if (signal || run.abortSignal.aborted) return signal
    if (run.state.seq === before) throw stalled(run)
    visitOf(run)?.forget()
  }
}

const stalled = (run: RunContext): AgentError =>
  new AgentError(
    'stalled',
    `A pass of ${visitOf(run) ? `the node "${visitOf(run)?.node}"` : 'untilAnswer()'} did nothing and gave no answer. It needs a step that thinks, acts or stops here.`,
  )

/** Adds the message once per visit. The log shows it: the message is pending, or a turn followed. */
function tell(run: RunContext, say: UntilAnswerOptions<unknown>['say']): void {
  const { state } = run
  const visit = visitOf(run)
  const { seq, iteration } = visit ?? state.request
  if (state.iteration > iteration || state.pending.some((said) => said.by === 'agent' && said.seq > seq)) return
  const heard = say === undefined && (!visit || awaitsThought(state) || openCalls(state).length > 0)
  if (heard) return
  const content = typeof say === 'function' ? say(run) : (say ?? `Go on with "${visit?.node}".`)
  run.emit({ type: 'said', by: 'agent', content })
}
