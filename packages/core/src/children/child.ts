import { checkHandle } from '#checks'
import { asking } from '../capabilities/questions/ask.ts'
import { firstOfLogPage, logPage } from '../change.ts'
import { deferred } from '../deferred.ts'
import type { LocalRunOptions } from '../engine/localRun.ts'
import { AgentError, type ErrorCode, isAgentError } from '../error.ts'
import type { Event, Parent } from '../event.ts'
import type { Host } from '../host.ts'
import { journalEngine } from '../journal/journalEngine.ts'
import type { Journal } from '../journal.ts'
import { asJson, fromJson, type Json } from '../json.ts'
import { handOver, isTakeover, takeoverOf } from '../log/openRun.ts'
import type { UserContent } from '../part.ts'
import type { Activity, Agent, Listener, Run, RunContext } from '../run.ts'
import type { AnswerSignal, FailedSignal, StoppedSignal } from '../signal.ts'
import { hasNote, holderOf, interruptionOf, noteOf, openCall, usageOf } from '../state.ts'
import { noUsage } from '../usage.ts'
import { ChildRelay, untilOver } from './childRelay.ts'

export interface ChildOptions<Output = unknown> {
  /** Identifies the child after a reload: always the same, and different for each child of the run. */
  key: string
  agent: Agent<Output>
  /** Its first input. Not read again when it resumes. */
  input: UserContent
  /** The activity that waits for the child, such as a branch; by default a new one. */
  activity?: Activity
  /** The tool call that it belongs to. */
  call?: string
  /** The maximum depth of child runs; 4 by default. */
  maxDepth?: number
  observers?: readonly Listener[]
  /** Called with each event of the child, live ones included. */
  onEvent?: Listener
}

/** The final signal of a child run. The top run asks its questions, so it settles for nothing else. */
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
  checkHandle(Object(options).agent, 'runChild()')
  const id = childId(run.state.runId, options.key)
  const before = run.children.get(id)
  const child = begin(run, options)
  const running = follow(run, { ...options, child })
  // Unwritten events exist only in this object, so it must stay reachable.
  const over = (): Promise<Run | undefined> => child.then(unfinished, () => before)
  run.children.set(id, running.then(over, over))
  return running
}

/** Returns the child if its object may still be needed. The journal has all of a child that has answered. */
const unfinished = (child: Run): Run | undefined => (child.state.signal?.type === 'answer' ? undefined : child)

async function follow<Output>(
  run: RunContext,
  { child: beginning, ...options }: ChildOptions<Output> & { readonly child: Promise<Run<Output>> },
): Promise<ChildSignal<Output>> {
  const { abortSignal } = run
  const child = await beginning
  const activity = options.activity ?? run.activity()
  const relay = new ChildRelay(run, { ...options, child, activity })
  const left = deferred<never>()
  const stop = (): void => {
    const reason = abortSignal.reason as AgentError
    if (!isTakeover(reason)) return void child.stop(reason.message)
    // The next object of this run resumes the child. A stop would end the child's calls, and become their result.
    left.reject(reason)
    handOver(child, reason).catch(() => {})
  }
  const leave = options.onEvent && child.subscribe(untilOver(run, options.onEvent))
  abortSignal.addEventListener('abort', stop)
  try {
    if (abortSignal.aborted) stop()
    const signal = (await Promise.race([relay.end, left.promise])) as ChildSignal<Output>
    abortSignal.throwIfAborted()
    return withoutConflict(signal)
  } finally {
    abortSignal.removeEventListener('abort', stop)
    leave?.()
    if (!options.activity) activity.end()
  }
}

/**
 * Returns the signal as a failure of the journal if another owner has continued the child. In a log, each owner would
 * take a conflict for one of the run itself.
 */
const withoutConflict = <Output>(signal: ChildSignal<Output>): ChildSignal<Output> =>
  signal.type === 'failed' && signal.error.code === 'journal_conflict'
    ? { ...signal, error: { ...signal.error, code: 'journal_failed', retryable: true } }
    : signal

/** Resumes the child, or starts it. Its previous object first writes its pending events, then stops writing. */
async function begin<Output>(
  run: RunContext,
  { agent, input, observers, ...options }: ChildOptions<Output>,
): Promise<Run<Output>> {
  const { key } = options
  const parent = parentFor(run, options)
  const id = childId(run.state.runId, key)
  const own = run.childAgent?.(agent, id) ?? agent
  const before = await run.children.get(id)
  if (before) await handOver(before, takeoverOf(before))
  run.abortSignal.throwIfAborted()
  const isAgain = options.call !== undefined || !claim(run, key)
  // A child may act, so the events that led to it must be in the journal first. For a tool's child they are: its call
  // is claimed.
  const saved = run.durable()
  if (saved) await saved
  run.abortSignal.throwIfAborted()
  const runOptions: LocalRunOptions = {
    journal: journalOf(run, options.call),
    host: hostOf(run.host, key),
    parentSignal: run.abortSignal,
    readContext: () => run.context,
    ...(observers && { observers }),
  }
  let child: Run<Output>
  try {
    child = await own.resume(id, runOptions)
  } catch (error) {
    if (!isAgentError(error)) throw error
    if (unreadable.has(error.code) && options.call !== undefined) checkDecided(run, options.call, error.message)
    if (error.code !== 'run_unknown') throw error
    if (isAgain && run.mayLackChildren) await settleLost(run, { agent, ...options })
    run.abortSignal.throwIfAborted()
    return own.start(input, { ...runOptions, id, parent })
  }
  if (child.state.parent?.runId !== run.state.runId) throw notChild(id, run.state.runId)
  const { signal } = child.state
  if (signal?.type === 'failed' || signal?.type === 'stopped') child.resume()
  return child
}

/** Notes that a step's child starts, as `called` does for a tool's child. Returns false if that was noted before. */
function claim({ state, emit }: RunContext, key: string): boolean {
  const note = usageOf(key)
  if (hasNote(state, note)) return false
  emit({ type: 'noted', key: note, value: { ...noUsage } })
  return true
}

/** The codes of a child whose log is there, and cannot be continued. */
const unreadable: ReadonlySet<ErrorCode> = new Set(['log_invalid', 'agent_mismatch'])

/** Throws for the child of a tool unless a user has said that it is to run again: its call counts as interrupted. */
function checkDecided({ state }: RunContext, call: string, message: string): void {
  if (openCall(state, call)?.decision === 'again') return
  throw new AgentError('tool_interrupted', message)
}

type Lost = Pick<ChildOptions, 'key' | 'agent' | 'activity' | 'call'>

/** Asks a user about a child whose log may be missing. Throws for a tool's child: its call counts as interrupted. */
async function settleLost(run: RunContext, { key, agent, activity, call }: Lost): Promise<void> {
  if (call !== undefined)
    return checkDecided(run, call, `The agent "${agent.name}" may have begun, and its log is missing.`)
  const prompt = `${agent.name} was interrupted and may already have run. Its log is missing. Run it again, or stop the run.`
  const question = asking({
    kind: 'choice',
    about: 'interruption',
    prompt,
    options: [{ value: 'again', label: 'Run it again' }],
  })
  await (activity ?? run).ask(interruptionOf(key), question)
}

const journalOf = (run: RunContext, call: string | undefined): Journal => run.journal ?? noteJournal(run, call)

const notChild = (id: string, runId: string): AgentError =>
  new AgentError(
    'log_invalid',
    `The run "${id}" was not started by the run "${runId}". Delete it, or give it another id.`,
  )

function parentFor(
  { agent, state }: RunContext,
  { key, maxDepth = 4 }: Pick<ChildOptions, 'key' | 'maxDepth'>,
): Parent {
  const depth = (state.parent?.depth ?? 0) + 1
  if (depth <= maxDepth) return { runId: state.runId, key, depth }
  throw new AgentError(
    'too_deep',
    `The agent "${agent.name}" is ${maxDepth} runs deep already and may start no child. Raise \`maxDepth\` if this is intended.`,
  )
}

/** Returns a host that distinguishes the effects of a child from those of its parent. */
const hostOf = (host: Host, key: string): Host => ({
  ...host,
  perform: (effect, body) => host.perform({ ...effect, key: `${key}>${effect.key}` }, body),
})

/** Stores the logs of child runs in the parent's notes if there is no journal, so they are saved with its state. */
export function noteJournal(run: RunContext, call: string | undefined): Journal {
  const keyOf = (runId: string): string => `${runId}>log/`
  // A child that begins has no notes yet, and the run may have many.
  const notesOfLog = (runId: string): readonly [string, Json][] =>
    hasNote(run.state, `${keyOf(runId)}0`, call) ? Object.entries(holderOf(run.state, call)?.notes ?? {}) : []
  return {
    engine: journalEngine,
    append(runId, events) {
      const [first] = events
      if (!first) return
      const key = `${keyOf(runId)}${first.seq}`
      if (first.seq !== nextSeq(first.seq, (page) => noteOf(run.state, `${keyOf(runId)}${page}`, call))) {
        throw new AgentError('journal_conflict', `Another step of this run took over the run ${runId}.`)
      }
      run.emit({ type: 'noted', key, value: asJson(events), ...(call !== undefined && { call }) })
    },
    read: (runId, from = 0) =>
      notesOfLog(runId)
        .flatMap(([key, value]) => (key.startsWith(keyOf(runId)) ? fromJson<Event[]>(value) : []))
        .filter(({ seq }) => seq >= from)
        .sort((a, b) => a.seq - b.seq),
    // The owner of the run owns its notes, so there is nothing to claim. Notes are never taken back, and no list has these runs.
    list: () => [],
    delete: () => {},
  }
}

/**
 * Returns the `seq` after the latest noted event of a child's log up to the page of `seq`. Notes whose events are elsewhere
 * in a file are empty.
 */
function nextSeq(seq: number, noted: (page: number) => Json | undefined): number {
  for (let page = firstOfLogPage(seq); page >= 0; page -= logPage) {
    const last = fromJson<readonly Event[]>(noted(page) ?? []).at(-1)
    if (last) return last.seq + 1
  }
  return 0
}
