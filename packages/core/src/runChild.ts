import { AgentError, isAgentError } from './error.ts'
import type { Parent } from './event.ts'
import type { Host } from './host.ts'
import { noteJournal } from './noteJournal.ts'
import type { GivenContent } from './part.ts'
import { relayChild } from './relayChild.ts'
import type { Activity, Agent, Listener, Observer, Run, RunContext } from './run.ts'
import type { AnswerSignal, FailedSignal, StoppedSignal } from './signal.ts'

export interface ChildOptions<Output = unknown> {
  /** Finds the child again after a reload: the same each time, and another for each child of the run. */
  key: string
  agent: Agent<Output>
  /** Its first input. Not read again when it resumes. */
  input: GivenContent
  /** The activity that waits for the child, such as a branch; by default a new one. */
  activity?: Activity
  /** The tool call that it belongs to. */
  call?: string
  /** The maximum depth of child runs; 4 by default. */
  maxDepth?: number
  observers?: readonly Observer[]
  /** Called with each event of the child, live ones included. */
  onEvent?: Listener
}

/**
 * The final signal of a child run. Its questions and limits are asked by the top run, so it settles for nothing else.
 */
export type ChildSignal<Output = unknown> = AnswerSignal<Output> | FailedSignal | StoppedSignal

/** Returns the id of the child run with this key. */
export const childId = (runId: string, key: string): string => `${runId}/${key}`

/**
 * Runs another agent as a child run with its own log, `<id of this run>/<key>`, and returns its signal. If the step or
 * tool runs again, the child resumes, also after it was stopped or failed.
 *
 * - This run asks the child's questions, approvals and limits; the child validates the replies.
 * - The child's usage counts in this run as it happens.
 * - Stopping this run stops it.
 *
 * The child's log is in this run's journal, or without one in this run's notes.
 */
export async function runChild<Output>(run: RunContext, options: ChildOptions<Output>): Promise<ChildSignal<Output>> {
  const id = childId(run.state.runId, options.key)
  const replies = new Set<Promise<unknown>>()
  const running = runAfter(run.children.get(id), run, { ...options, replies })
  const over = (): Promise<unknown> => Promise.allSettled(replies)
  run.children.set(id, running.then(over, over))
  return running
}

interface ChildWork<Output> extends ChildOptions<Output> {
  /** Replies that the child is still writing. */
  readonly replies: Set<Promise<unknown>>
}

/**
 * Two objects of one child would take its log from each other. The previous one may still write: if the run was stopped and did not
 * wait for it, or a reply after it failed.
 */
async function runAfter<Output>(
  before: Promise<unknown> | undefined,
  run: RunContext,
  options: ChildWork<Output>,
): Promise<ChildSignal<Output>> {
  const { abortSignal } = run
  await before
  abortSignal.throwIfAborted()
  const child = await begin(run, options)
  const activity = options.activity ?? run.activity()
  const relay = relayChild(run, { ...options, child, activity })
  const stop = (): void => void child.stop((abortSignal.reason as AgentError).message)
  const leave = options.onEvent && child.subscribe(options.onEvent)
  abortSignal.addEventListener('abort', stop)
  try {
    if (abortSignal.aborted) stop()
    const signal = (await relay.end) as ChildSignal<Output>
    abortSignal.throwIfAborted()
    return signal
  } finally {
    abortSignal.removeEventListener('abort', stop)
    leave?.()
    if (!options.activity) activity.end()
  }
}

/** Goes on with the child that is there, or starts it. */
async function begin<Output>(
  run: RunContext,
  { agent, input, observers, ...options }: ChildOptions<Output>,
): Promise<Run<Output>> {
  const { key } = options
  const parent = below(run, options)
  const id = childId(run.state.runId, key)
  const place = {
    journal: run.journal ?? noteJournal(run, options.call),
    host: hostOf(run.host, key),
    ...(observers && { observers }),
  }
  try {
    const child = await agent.resume(id, place)
    if (child.state.parent?.runId !== run.state.runId) throw notChild(id, run.state.runId)
    const { rest } = child.state
    if (rest?.type === 'failed' || rest?.type === 'stopped') child.resume()
    return child
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'run_unknown') throw error
    run.abortSignal.throwIfAborted()
    return agent.start(input, { ...place, id, parent })
  }
}

const notChild = (id: string, runId: string): AgentError =>
  new AgentError(
    'log_invalid',
    `The run "${id}" was not started by the run "${runId}". Delete it, or give it another id.`,
  )

function below({ agent, state }: RunContext, { key, maxDepth = 4 }: Pick<ChildOptions, 'key' | 'maxDepth'>): Parent {
  const depth = (state.parent?.depth ?? 0) + 1
  if (depth <= maxDepth) return { runId: state.runId, key, depth }
  throw new AgentError(
    'too_deep',
    `The agent "${agent.name}" is ${maxDepth} runs deep already and may begin none below it. Raise maxDepth if this is meant.`,
  )
}

/** Returns a host that distinguishes the effects of a child from those of its parent. */
const hostOf = (host: Host, key: string): Host => ({
  ...host,
  perform: (effect, body) => host.perform({ ...effect, key: `${key}>${effect.key}` }, body),
})
