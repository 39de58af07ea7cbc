import { checkHandle, checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import { localHost } from '../host.ts'
import { type Journal, type JournalStore, readLog, toJournalError } from '../journal.ts'
import { strictJson } from '../json.ts'
import { isRun, type OpenRun } from '../log/openRun.ts'
import { assertOption, checkRunId } from '../options.ts'
import { isBlank, plainContent } from '../part.ts'
import { checkReply } from '../question.ts'
import type { AgentHandle, EventOf, ForkEdit, ForkPoint, ResumeOptions, Run } from '../run.ts'
import { isAgent } from '../step.ts'
import type { ToolSet } from '../tool.ts'
import { withdrawConsent } from './consent.ts'
import { exportRun } from './exportRun.ts'
import { asImported, discard, isImportedAfter, putLogs, withoutParent } from './importRun.ts'
import { memoryJournal } from './memoryJournal.ts'
import { checkWholeFile, idChange, logsAt, type RunFile, renameRun, runIdOf } from './runFile.ts'

export type { ForkEdit } from '../run.ts'

export interface ForkOptions extends ResumeOptions, ForkPoint {}

/**
 * Starts a new run from any event of another, optionally with another message, observation or reply there. The old run
 * comes from a file, a run object, or the journal by its id. It does not change, and the new log begins with its
 * origin.
 *
 * - It resumes as after a crash: open questions are asked again. A call that had started runs again, or is asked about.
 *   If you fork at a reply or edit it, its tool has not acted on it yet.
 * - A call that was approved and had not started is asked about again, since the old run starts it with that approval.
 *   An approval that you edit counts.
 * - Results of `once` from before the event stay.
 * - Child runs are cut at the time of the event, and resume there.
 * - A run of a file waits as after `importRun()`, unless you edit it: continue it with `run.resume()` or `say()`.
 * - With a handle, such as that of `acrossTabs()`, it executes where the handle's runs do, and `journal` is the one
 *   that they use. A server, behind `remoteAgent()`, forks by itself, and changes only user messages.
 *
 * @example
 * const run = await fork(guide, id, { at: 7, edit: { content: 'Munich' }, journal })
 */
export async function fork<Output, Tools extends ToolSet = ToolSet>(
  agent: AgentHandle<Output, Tools>,
  from: RunFile | Run | string,
  given: ForkOptions = {},
): Promise<Run<Output, Tools>> {
  checkOptions('fork()', given, ['at', 'edit', 'id', 'journal', 'host', 'observers', 'context', 'renamedFrom'])
  checkHandle(agent, 'fork()')
  const { at: requested, edit, id, ...options } = given
  if (agent.fork && (typeof from === 'string' || isRun(from))) {
    const { id: runId } = typeof from === 'string' ? { id: from } : from
    return agent.fork(runId, {
      ...(requested !== undefined && { at: requested }),
      ...(edit && { edit }),
      ...(id && { id }),
    })
  }
  const isLocal: boolean = isAgent(agent)
  assertOption(
    options.journal || isLocal,
    DEV && 'fork() needs the journal of the handle: fork(handle, from, { journal }).',
  )
  const { host = localHost, journal = memoryJournal() } = options
  const { runId, events, below } = checkWholeFile(await fileOf(from, options))
  const run: OpenRun | undefined = isRun(from) ? from : undefined
  const at = requested ?? events.length - 1
  const last = events[at]
  assertOption(last, DEV && `fork({ at: ${at} }): the run "${runId}" has events from 0 to ${events.length - 1}.`)
  const forkId = id ?? host.newId()
  checkRunId(forkId)
  if ((await readLog(journal, forkId)).length > 0) refuseOther(forkId)
  const change = idChange(runId, forkId)
  const before = events.slice(0, at)
  // Without `at` or `edit`, the fork has all that happened, as after a crash: a tool may have acted on the last reply.
  const own = edit ? before : [...before, requested === undefined ? last : untaken(last)]
  // Children may have continued since the last event.
  const isEnd = at === events.length - 1 && !edit
  // The logs of child runs may be in an unknown journal, or were missing when the run itself was forked.
  const [first] = events
  const isAlone = (run && !run.journal) || (first?.type === 'started' && first.forkedFrom?.alone)
  const origin: Origin = { runId, seq: at, ...(isAlone && { alone: true }) }
  const cut = [own, ...(isEnd ? below : logsAt([...before, last], below))]
  const wholes = new Map([events, ...below].map((log) => [runIdOf(log), log]))
  // A file is foreign, and so is a run that only shows one.
  const isFromFile = run ? run.isOfFile === true : typeof from !== 'string'
  const isForeign = (log: readonly Event[]): boolean =>
    isFromFile || isImportedAfter(wholes.get(runIdOf(log)) ?? log, log.length)
  const [past = [], ...logs] = withdrawConsent(cut.map((log) => (isForeign(log) ? asImported(log) : log)))
  // The edited event is the user's own here. The events before it are foreign.
  const changed = edit && untaken(edited(last, edit, events))
  const root = withOrigin(changed ? continued(past, changed, isForeign(own) ? own : undefined) : past, origin)
  const forked = [...logs, root].map((log) => renameRun(log, change))
  await put(journal, forked, forkId)
  return resumeFork<Output, Tools>(agent, forkId, { ...options, journal })
}

/** Writes the logs. Rejects if another run has taken the id meanwhile. */
async function put(journal: JournalStore, logs: readonly (readonly Event[])[], forkId: string): Promise<void> {
  const lengths = await Promise.all(logs.map(async (log) => (await readLog(journal, runIdOf(log))).length))
  if (lengths.some((length) => length > 0)) refuseOther(forkId)
  try {
    await putLogs(journal, logs)
  } catch (error) {
    throw toJournalError(error)
  }
}

function refuseOther(forkId: string): never {
  throw new AgentError('options_invalid', DEV && `fork({ id: "${forkId}" }): the journal has a run of that id.`)
}

/** Resumes the new run, and deletes it if that fails, since no client knows of it yet. */
async function resumeFork<Output, Tools extends ToolSet>(
  agent: AgentHandle<Output, Tools>,
  id: string,
  options: ResumeOptions & { journal: Journal },
): Promise<Run<Output, Tools>> {
  try {
    return await agent.resume(id, options)
  } catch (error) {
    await discard(options.journal, [id])
    throw error
  }
}

async function fileOf(from: RunFile | OpenRun | string, { journal }: ForkOptions): Promise<RunFile> {
  if (isRun(from)) return exportRun(from, journal && !from.journal ? { journal } : {})
  if (typeof from !== 'string') return from
  assertOption(journal, DEV && 'To fork a run by its id, name the journal: fork(agent, id, { journal }).')
  return exportRun(journal, from)
}

/** Returns the event without the mark that a tool has continued with the reply: at that event it has not yet. */
function untaken(event: Event): Event {
  if (event.type !== 'replied') return event
  const { awaited: _, ...reply } = event
  return reply
}

/**
 * Adds the event of an edit to a log. After an import a reply has no question: it is asked again before it, and its call
 * has the results of its `once` again, so that it repeats nothing.
 */
function continued(past: readonly Event[], event: Event, foreign: readonly Event[] | undefined): readonly Event[] {
  const asked = event.type === 'replied' ? foreign?.findLast((other) => isAsking(other, event.ask)) : undefined
  const call = asked?.type === 'asked' ? asked.ask.call : undefined
  const notes =
    foreign?.filter((other) => other.type === 'noted' && other.call !== undefined && other.call === call) ?? []
  const { at, iteration } = past.at(-1) ?? event
  const added = [...(asked ? [...notes, asked].map((other) => ({ ...other, at, iteration })) : []), event]
  return [...past, ...added.map((other, index) => ({ ...other, seq: past.length + index }))]
}

const isAsking = (event: Event, id: string): boolean => event.type === 'asked' && event.ask.id === id

type Origin = NonNullable<EventOf<'started'>['forkedFrom']>

/** Returns the log with the origin of the fork. The fork of a child run has no parent. */
const withOrigin = (log: readonly Event[], forkedFrom: Origin): readonly Event[] =>
  withoutParent(log).map((event) => (event.type === 'started' ? { ...event, forkedFrom } : event))

function edited(event: Event, edit: ForkEdit, events: readonly Event[]): Event {
  if (event.type === 'said' && 'content' in edit) {
    assertOption(!isBlank(edit.content), DEV && 'fork({ edit }): the content is empty.')
    return { ...event, content: plainContent(edit.content) }
  }
  if (event.type === 'observed' && 'output' in edit) {
    const { error: _, output: __, ...others } = event
    const output = strictJson(edit.output, 'The `output` of fork({ edit })')
    const isText = typeof output === 'string'
    return { ...others, result: isText ? { type: 'text', value: output } : { type: 'json', value: output }, output }
  }
  if (event.type === 'replied' && 'value' in edit) {
    const value = strictJson(edit.value, 'The `value` of fork({ edit })')
    const asked = events.flatMap((other) => (other.type === 'asked' && other.ask.id === event.ask ? [other.ask] : []))
    const question = asked.at(-1)
    const checked = question && checkReply(question, value)
    if (checked && !checked.ok) throw new AgentError(checked.code ?? 'reply_invalid', checked.message)
    // The prompt of another input.
    const { prompt: _, ...reply } = event
    return { ...reply, value }
  }
  throw new AgentError(
    'options_invalid',
    DEV &&
      `fork({ edit }): event ${event.seq} is "${event.type}". Give { content } for "said", { output } for "observed", { value } for "replied".`,
  )
}
