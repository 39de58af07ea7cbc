import { AgentError } from '../error.ts'
import { decorateJournal, type Journal } from '../journal.ts'
import { isObject } from '../json.ts'
import { checkStore, checkType } from '../options.ts'
import type { Listener } from '../run.ts'
import { createRedactor, type RedactOptions, type Redactor } from './createRedactor.ts'
import type { FoundSecret } from './marks.ts'

export interface Redacted<T> {
  readonly value: T
  readonly found: readonly FoundSecret[]
}

/**
 * Removes secrets from events, a state or a run file: keys and tokens of known shapes, logins in addresses and headers,
 * members whose name or schema marks them as secret, and the same secret wherever else it occurs. The result is as
 * valid as the input. In other data every member is judged by its name. It cannot find a secret that looks like an
 * ordinary word.
 */
export function redact<T>(data: T, options: RedactOptions = {}): Redacted<T> {
  const redactor = createRedactor(options)
  checkDepth(data, maxLevels)
  const value = isLogged(data) ? redactor.redact(data) : redactor.redact({ data }).data
  return { value, found: redactor.found() }
}

/** The maximum depth of the data. That of a run file is the same. */
const maxLevels = 100

/** Throws for data that would exhaust the stack. */
function checkDepth(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if (levels < 0) throw new AgentError('json_invalid', wanted)
  for (const member of Object.values(value)) checkDepth(member, levels - 1)
}

const wanted = `Give redact() data of at most ${maxLevels} levels that does not refer to itself.`

/** Returns true for log data, whose own members are not foreign data: events, states, run files, and lists of them. */
function isLogged(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(isLogged)
  return isObject(data) && ['seq', 'runId', 'events'].some((member) => Object.hasOwn(data, member))
}

/** Wraps an observer so that it receives everything without secrets, and streamed text once it is complete. */
export function redacting(observer: Listener, options: RedactOptions = {}): Listener {
  checkType(observer ?? null, 'observer of redacting()', 'a function')
  const { redact } = createRedactor(options)
  return (event, state) => {
    if (!isPiece(event)) observer(...redact([withoutPieces(event), withoutPieces(state)] as const))
  }
}

/** The number of runs to remember. For a forgotten run, only secrets known by a member's name are forgotten. */
const mostRuns = 1_000

/**
 * Wraps a journal so that it receives everything without secrets. A running run still knows them; a run that resumes
 * from the journal does not: its open calls and its model get marks instead. A turn that is cut off is stored once it
 * is complete, not partially.
 */
export function redactingJournal(journal: Journal, options: RedactOptions = {}): Journal {
  checkStore(journal, 'redactingJournal()')
  // Invalid options throw here, and not with the first write.
  createRedactor(options)
  const redactors = new Map<string, Redactor>()
  const redactorOf = (runId: string): Redactor => {
    const redactor = redactors.get(runId) ?? createRedactor(options)
    redactors.delete(runId)
    redactors.set(runId, redactor)
    const [oldest] = redactors.keys()
    if (redactors.size > mostRuns && oldest !== undefined) redactors.delete(oldest)
    return redactor
  }
  return decorateJournal(journal, () => ({
    append: (runId, events, append) =>
      journal.append(runId, redactorOf(runId).redact(events.map(withoutPieces)), append),
    delete(runId) {
      redactors.delete(runId)
      return journal.delete(runId)
    },
  }))
}

/** Returns true for a delta of streaming text, which may contain part of a secret. */
const isPiece = (event: unknown): boolean => typeOf(event) === 'delta'

/** Returns an event or a state without the streamed part of a turn, which may end in the middle of a secret. */
function withoutPieces<T>(given: T): T {
  if (typeOf(given) === 'drafted') return { ...given, text: '', reasoning: '' }
  const isState = typeof given === 'object' && given !== null && 'history' in given
  return isState ? { ...given, draft: undefined, drafted: undefined } : given
}

const typeOf = (given: unknown): unknown => (Object(given) as { type?: unknown }).type
