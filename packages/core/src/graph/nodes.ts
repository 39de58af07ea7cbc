import { checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import { sleep } from '../host.ts'
import { assertOption } from '../options.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { awaitsThought, noteOf, openCalls } from '../state.ts'
import { agentsOf, handsTo, isAgent, needsOf } from '../step.ts'
import { type Value, visitOf } from './visit.ts'

export interface UntilAnswerOptions<Output> {
  /** The model's message when the visit starts. By default, if no message is pending, the node's name. */
  say?: string | ((run: RunContext) => string)
  /** The value that stores the answer, for the nodes after this one. */
  keep?: Pick<Value<Output>, 'set'>
}

/**
 * Makes a node that repeats until it has an answer: a whole backend such as `reasonAct()`, of which one call is only
 * one pass, or another agent, with its own model, instructions and tools, in the same conversation.
 */
export function untilAnswer<Output = unknown>(
  node: Step | Agent<Output>,
  options: UntilAnswerOptions<Output> = {},
): Step {
  checkOptions('untilAnswer()', options, ['say', 'keep'])
  const { say, keep } = options
  assertOption(
    typeof node === 'function' || isAgent(node),
    DEV && 'untilAnswer() takes a step such as reasonAct(), or an agent.',
  )
  const backend = isAgent(node) ? node.backend : node
  const step = async (outer: RunContext): Promise<Signal | undefined> => {
    const run = isAgent(node) ? outer.with({ agent: node, handedTo: node.name }) : outer
    sayTo(run, say)
    const signal = await passes(run, backend)
    if (signal?.type === 'answer') keep?.set(run, signal.output as Output)
    return signal
  }
  if (!isAgent(node)) return handsTo(asThinking(Object.assign(step, needsOf(node))), agentsOf([node]))
  // The tools and the models of another agent are its own.
  const mayCall = backend.mayCall || node.live !== undefined || Object.keys(node.tools).length > 0
  return handsTo(asThinking(Object.assign(step, { mayCall, ownModel: true })), [node])
}

async function passes(run: RunContext, backend: Step): Promise<Signal | undefined> {
  for (;;) {
    const before = run.state.seq
    const { live } = run.agent
    const signal = await backend(live ? await live.enter(run) : run)
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
function sayTo(run: RunContext, say: UntilAnswerOptions<unknown>['say']): void {
  const { state } = run
  const visit = visitOf(run)
  const { seq, iteration } = visit ?? state.request
  if (state.iteration > iteration || state.pending.some((said) => said.by === 'agent' && said.seq > seq)) return
  const isNeedless = say === undefined && (!visit || awaitsThought(state) || openCalls(state).length > 0)
  if (isNeedless) return
  const content = typeof say === 'function' ? say(run) : (say ?? `Go on with "${visit?.node}".`)
  run.emit({ type: 'said', by: 'agent', content })
}

/** Makes a node that waits for this many milliseconds. A resumed visit waits for the remaining time. */
export function wait(ms: number): Step {
  assertOption(Number.isFinite(ms) && ms >= 0, DEV && `wait(${ms}): give milliseconds, 0 or more.`)
  return async (run) => {
    const until = endOf(run, ms)
    const saved = run.durable()
    if (saved) await saved
    // The clock may have been set back, or be that of another machine.
    const left = Math.min(ms, until - run.host.now())
    const visit = visitOf(run)
    const key = visit ? `wait/${visit.key}/${visit.number}` : `wait/${run.state.seq}`
    if (left > 0) await sleep(run, { key, ms: left })
    return undefined
  }
}

/** Returns the end of this visit's wait. Outside of a graph it is not persisted. */
function endOf(run: RunContext, ms: number): number {
  const visit = visitOf(run)
  const end = run.host.now() + ms
  if (!visit) return end
  const key = `wait/${ms}/${visit.key}`
  const known = noteOf<{ readonly visit: number; readonly until: number }>(run.state, key)
  if (known?.visit === visit.seq) return known.until
  run.emit({ type: 'noted', key, value: { visit: visit.seq, until: end } })
  return end
}

const thinking = Symbol('thinking')

/** Marks a step as one that asks a model. */
const asThinking = <S extends Step>(step: S): S => Object.assign(step, { [thinking]: true })

/** Returns true if a step is known to call a model. */
export const isThinking = (step: Step): boolean => (step as { [thinking]?: boolean } | undefined)?.[thinking] === true

/** A step, or an agent, which is visited until it answers. */
export type GraphNode = Step | Agent

/** Returns the steps of nodes or branches, by name. */
export const toSteps = (nodes: Readonly<Record<string, GraphNode>>): ReadonlyMap<string, Step> =>
  new Map(Object.entries(nodes).map(([name, of]) => [name, isAgent(of) ? untilAnswer(of) : of]))

/** Gives a step that runs others what these need of its agent. */
export function madeOf<S extends Step>(step: S, parts: readonly Step[]): S {
  // Steps of several nodes may bring the same tool.
  const tools: Step['tools'] = (agent) => [
    ...new Map(parts.flatMap((part) => part.tools?.(agent) ?? []).map((tool) => [tool.name, tool])).values(),
  ]
  const mayCall = parts.some((part) => part.mayCall)
  const ownModel = parts.every((part) => part.ownModel || !isThinking(part))
  if (parts.some(isThinking)) asThinking(step)
  return handsTo(Object.assign(step, { tools, mayCall, ownModel }), agentsOf(parts))
}
