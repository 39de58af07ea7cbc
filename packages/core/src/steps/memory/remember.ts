import { checkOptions, DEV } from '#checks'
import { attempt } from '../../engine/wait.ts'
import { AgentError, reportLater } from '../../error.ts'
import { isObject } from '../../json.ts'
import { assertOption } from '../../options.ts'
import { messageText, type UserContent } from '../../part.ts'
import type { RunContext, Step } from '../../run.ts'
import { awaitsThought, type Entry, hasNote, type RunState } from '../../state.ts'
import { claimNote, needsOf } from '../../step.ts'

/** A text in a memory. */
export interface MemoryItem {
  /** Adding the same id again replaces the item. */
  readonly id: string
  readonly text: string
  /** The owner of the item, such as a user. No other namespace finds it. */
  readonly namespace: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface MemorySearch {
  readonly namespace: string
  /** The maximum number of items, the best first. */
  readonly limit: number
  readonly abortSignal: AbortSignal
}

/** Storage of items across runs: an index in memory, a database, a service. If it fails, runs continue without it. */
export interface Memory {
  search(query: string, options: MemorySearch): readonly MemoryItem[] | PromiseLike<readonly MemoryItem[]>
  add(items: readonly MemoryItem[], options: { readonly abortSignal: AbortSignal }): unknown
}

export interface RememberOptions {
  memory: Memory
  /** The owner of the memory, such as the user's id. Everyone with the same namespace shares its memories. */
  namespace: string | ((state: RunState) => string)
  /** The maximum number of items per request; 5 by default. */
  limit?: number
  /** Returns the texts to store of an answered request. By default the request and the answer. */
  extract?: (exchange: Exchange, run: RunContext) => readonly string[] | PromiseLike<readonly string[]>
  /** Receives an error if the memory fails or times out; the run continues without it. `reportError` by default. */
  onError?: (error: unknown) => void
  /** The time limit of each access, in milliseconds; 5,000 by default. */
  timeoutMs?: number
}

/**
 * Reminds the model, at the beginning of each request, of what other runs have stored, and stores the result of the
 * request. Wraps a whole backend. The log has the reminders, which are the same after a reload.
 */
export function remember(backend: Step, given: RememberOptions): Step {
  checkOptions('remember()', given, ['memory', 'namespace', 'limit', 'extract', 'onError', 'timeoutMs'])
  const { limit = 5, timeoutMs = 5_000, ...options } = given
  assertOption(
    typeof backend === 'function',
    DEV && 'remember() goes around a backend: remember(reasonAct(), { memory, namespace }).',
  )
  assertOption(options.memory, DEV && 'remember() needs a memory, such as searchMemory().')
  assertOption(
    options.namespace,
    DEV && 'remember() needs a `namespace`, such as the id of the user, so that users do not share memories.',
  )
  const remembering = { ...options, limit, timeoutMs }
  const step = async (run: RunContext) => {
    const { name } = run.agent
    const problem = `The agent "${name}" has two remember(), and one would do nothing. Give one a memory that asks both.`
    assertOption(claimNote(run, `memory/${name}`, remembering), DEV && problem)
    await recall(run, remembering)
    const signal = await backend(run)
    // The answer of a guard is not a result of the request.
    if (signal?.type === 'answer' && signal.reason !== 'blocked') await store(run, remembering, signal.output)
    return signal
  }
  return Object.assign(step, needsOf(backend))
}

/** Reminds the model once per request, before its first turn, in a message next to the user's. */
async function recall(run: RunContext, remembering: Remembering): Promise<void> {
  const { pending, iteration, request } = run.state
  const messages = pending.filter(({ by }) => by === 'user')
  const latest = messages.at(-1)
  if (!latest || iteration !== request.iteration || !awaitsThought(run.state)) return
  const key = `memory/recall/${latest.seq}`
  if (hasNote(run.state, key)) return
  const { memory, limit } = remembering
  const query = messages.map(({ content }) => wordsOf(content)).join('\n')
  const known = knownTo(run.state)
  const options = { namespace: namespaceOf(remembering, run.state), limit: limit + known.size }
  const found = await tryMemory(run, remembering, async (abortSignal) =>
    checkItems(await memory.search(query, { ...options, abortSignal })),
  )
  if (run.abortSignal.aborted) return
  const items = (found ?? []).filter(({ id }) => !known.has(id)).slice(0, limit)
  // The note is written even if nothing was found, or the memory failed: it must not delay the request again.
  run.emit({ type: 'noted', key, value: items.map(({ id }) => id) })
  if (items.length > 0) run.emit({ type: 'said', by: 'agent', content: toReminder(items) })
}

/** Throws if a memory returned anything but items, since a service may return any data. */
function checkItems(found: unknown): readonly MemoryItem[] {
  const isItem = (item: unknown): boolean => isObject(item) && isText(item.id) && isText(item.text)
  const fits = Array.isArray(found) && found.every(isItem)
  if (fits) return found
  throw new AgentError('step_failed', 'The search of the memory returned no list of items. Return [{ id, text, … }].')
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Returns the ids of items that the conversation already contains: reminders, and its own items. */
function knownTo({ notes, compactions }: RunState): ReadonlySet<unknown> {
  // After a compaction the model may not see it any more.
  if (compactions > 0) return new Set()
  return new Set(Object.entries(notes).flatMap(([key, value]) => (key.startsWith('memory/') ? value : [])))
}

/** Returns the words of a message, up to a maximum length. */
const wordsOf = (content: UserContent, longest = 2_000): string => messageText(content).trim().slice(0, longest)

const toReminder = (items: readonly MemoryItem[]): string =>
  `From earlier conversations, and of use only where it bears on this one:\n\n${items.map(toLine).join('\n')}`

const toLine = ({ text }: MemoryItem): string => `- ${text.slice(0, 4_000).replaceAll('\n', '\n  ')}`

/** A request of the user and the answer to it, as text. */
export interface Exchange {
  readonly request: string
  readonly answer: string
}

/** Stores the content of an answered request. A repetition after a crash replaces the first. */
async function store(run: RunContext, storing: Remembering, output: unknown): Promise<void> {
  const { runId, iteration } = run.state
  const key = `memory/store/${iteration}`
  if (hasNote(run.state, key)) return
  const { memory, extract = whole } = storing
  const exchange: Exchange = { request: requestOf(run.state), answer: answerOf(output) }
  const namespace = namespaceOf(storing, run.state)
  const at = run.host.now()
  const stored = await tryMemory(run, storing, async (abortSignal) => {
    const texts = checkTexts(await extract(exchange, run))
    const items = texts.map((text, index) => ({ id: `${runId}/${iteration}/${index}`, text, namespace, at }))
    if (items.length > 0) await memory.add(items, { abortSignal })
    return items.map(({ id }) => id)
  })
  if (stored && !run.abortSignal.aborted) run.emit({ type: 'noted', key, value: stored })
}

/** Throws if `extract` returned anything but strings. */
function checkTexts(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every(isText)) return given
  throw new AgentError('step_failed', 'The `extract` of remember() returned no list of strings. Return ["…"].')
}

const whole = ({ request, answer }: Exchange): readonly string[] => [`Asked: ${request}\nAnswered: ${answer}`]

const answerOf = (output: unknown): string =>
  wordsOf(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))

/** Returns the user's messages since the request began. */
function requestOf({ history, request }: RunState): string {
  const entries = history.flat()
  const isEarlier = (entry: Entry): boolean =>
    entry.type === 'messages' || (entry.type === 'turn' && entry.iteration <= request.iteration)
  const since = entries.slice(entries.findLastIndex(isEarlier) + 1)
  return since
    .flatMap((entry) => (entry.type === 'said' && entry.by === 'user' ? wordsOf(entry.content) : []))
    .join('\n')
}

type Remembering = RememberOptions & Required<Pick<RememberOptions, 'limit' | 'timeoutMs'>>

/** Returns the owner of the memory. Without one, all users would share theirs. */
function namespaceOf({ namespace }: Remembering, state: RunState): string {
  const owner: unknown = typeof namespace === 'function' ? namespace(state) : namespace
  assertOption(
    typeof owner === 'string' && owner !== '',
    DEV && 'The `namespace` of remember() returned no string for this run. Return the id of its user, not a promise.',
  )
  return owner
}

/** Returns the memory's result, or undefined if it fails, times out, or the run is stopped. */
const tryMemory = <T>(
  run: RunContext,
  { onError = reportLater, timeoutMs }: Remembering,
  work: (abortSignal: AbortSignal) => T | PromiseLike<T>,
): Promise<T | undefined> => attempt(run, { name: 'memory', onError, timeoutMs }, work)
