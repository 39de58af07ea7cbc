import { checkStore } from '#checks'
import { approvalBy } from '../capabilities/approvals/approve.ts'
import { approvalEngine } from '../capabilities/approvals/engine.ts'
import { interruptions } from '../capabilities/interruptions/interruptions.ts'
import { allChanges, fold } from '../changes/all.ts'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import {
  type AttemptedTurn,
  type Attempts,
  type Journal,
  type JournalEngine,
  type JournalStore,
  type NotedRun,
  type OpenOptions,
  type Past,
  readLog,
  type SavedRun,
} from '../journal.ts'
import { copyJson, isObject } from '../json.ts'
import { DraftKeeper, interruptedTurn } from '../log/drafts.ts'
import { Recovery } from '../log/recovery.ts'
import { Writer } from '../log/writer.ts'
import { checkKey } from '../options.ts'
import { noteOf, type RunState } from '../state.ts'
import { noUsage } from '../usage.ts'
import { event } from '../validate/shapes.ts'
import { checkLog } from '../validate/validate.ts'

export const journalEngine: JournalEngine = {
  async open(runId, agent, options) {
    const past = await readPast(runId, options)
    checkAgent(agent, past.state, options)
    return past
  },
  changes: allChanges,
  questions: approvalEngine,
  approval: /* @__PURE__ */ approvalBy({}),
  interruptions,
  invalidPathOf: event,
  write: (options) => new Writer(options),
  drafts: (run) => new DraftKeeper(run),
  interruptedTurn,
  recovery: (run) => new Recovery(run),
  attemptsOf,
  noteAttempts,
}

/**
 * Makes a journal of your own store. Adds its `engine`, which validates stored runs, and returns the same object.
 *
 * @example
 * const run = guide.start('Hello', { journal: createJournal({ append, read, list, delete: remove }) })
 */
export function createJournal<J extends JournalStore>(store: J): J & Journal {
  checkStore(store, 'createJournal()')
  return Object.assign(store, { engine: journalEngine })
}

/**
 * Validates the `log` of a run that was saved as JSON, for `resume()`. Throws `log_invalid` if it is none.
 *
 * @example
 * const run = await guide.resume(savedRun(JSON.parse(text)))
 */
export const savedRun = (saved: unknown): SavedRun => runOf(copyJson(checkLog(saved)))

/** Returns the run of a valid log, for `resume()`. */
export function runOf(events: readonly Event[]): SavedRun {
  const past: Past = { ...foldLog(events), engine: journalEngine }
  return {
    state: past.state,
    async open(agent, options): Promise<Past> {
      checkAgent(agent, past.state, options)
      if (options.journal) await checkStored(past, options.journal)
      return past
    },
  }
}

/**
 * Throws if a journal does not have a saved run unchanged: child runs would begin again before the first write fails.
 */
async function checkStored({ events, state: { runId } }: Past, journal: JournalStore): Promise<void> {
  const last = events.at(-1)
  const [stored, ...more] = await readLog(journal, runId, events.length - 1)
  // A journal may change the content of an event, as one that redacts does.
  if (stored && stored.at === last?.at && stored.type === last.type && more.length === 0) return
  const advice = 'Resume it by its id or without a journal, or put its file into the journal with importRun().'
  throw new AgentError('journal_conflict', `The journal does not have the run "${runId}" as it was saved. ${advice}`)
}

const foldLog = (events: readonly Event[]): Past => ({ state: fold(events), events })

export async function readPast(runId: string, { journal }: { readonly journal: JournalStore }): Promise<Past> {
  checkKey(runId)
  const events = await readLog(journal, runId)
  if (events.length === 0) throw unknownRun(runId)
  return foldLog(checkLog(events, { runId }))
}

export const unknownRun = (runId: string): AgentError =>
  new AgentError('run_unknown', `The journal has no run "${runId}".`)

/** Accepts another version of the agent, but not another agent, which could not read the run's calls and notes. */
export function checkAgent(
  { name }: { readonly name: string },
  { runId, agent: began }: RunState,
  { renamedFrom }: Pick<OpenOptions, 'renamedFrom'>,
): void {
  if (began === name || began === renamedFrom) return
  const advice = `Resume it with "${began}", or with { renamedFrom: "${began}" } if that is what "${name}" was called.`
  throw new AgentError(
    'agent_mismatch',
    `The run "${runId}" is of the agent "${began}", and not of "${name}". ${advice}`,
  )
}

const noteKeyOf = ({ key }: AttemptedTurn): string => `retries/${key}`

/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
function attemptsOf({ state }: Pick<NotedRun, 'state'>, turn: AttemptedTurn): Attempts | undefined {
  const noted: unknown = noteOf(state, noteKeyOf(turn))
  if (!isAttempts(noted)) return undefined
  return noted.index < turn.models.length ? noted : { index: 0, attempt: 0, spent: noted.spent }
}

/** Returns true for a note of attempts. A step may have written another note under this key. */
function isAttempts(noted: unknown): noted is Attempts {
  if (!isObject(noted)) return false
  const { index, attempt, spent } = noted
  return (
    isCount(index) && isCount(attempt) && isObject(spent) && Object.keys(noUsage).every((key) => isNumber(spent[key]))
  )
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value === null
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

async function noteAttempts(run: NotedRun, turn: AttemptedTurn, attempts: Attempts): Promise<void> {
  // A side call may be made again under the same key.
  if (!turn.receiver) return
  run.emit({ type: 'noted', key: noteKeyOf(turn), value: { ...attempts, spent: { ...attempts.spent } } })
  await run.durable()
}
