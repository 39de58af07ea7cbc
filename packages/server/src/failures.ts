import type { Event, Failure, RunState } from '@interleave/core'
import { messageOf, quietly, reportRejection, toFailure } from '@interleave/core/internal'
import { type AnyEvent, adviceOf, redact } from '@interleave/core/observe'
import { ownerAndId } from './runNames.ts'

/** A failure on the server, as its developers see it. Users get the sentence of its code. */
export interface ServerFailure {
  /**
   * The part that failed: a run, a call of a tool, a try of a model that is repeated, the writing of a log, or a request
   * that could not be answered.
   */
  readonly of: 'run' | 'tool' | 'try' | 'journal' | 'request'
  /** Everything that is known, unlike what users get. It may contain secrets: see `redact()`. */
  readonly error: Failure
  /** The id of the run, as its user knows it. */
  readonly runId?: string
  /** The user of the run, as `authorize` returned them. */
  readonly user?: string
  readonly agent?: string
  /** The tool that failed. */
  readonly tool?: string
  /** The error that was thrown while a request was answered, or a run was resumed. */
  readonly cause?: unknown
}

export interface FailureOptions {
  /** Called with each failure on the server, for a service that collects them. It may be async; nothing waits for it. */
  onFailure?: (failure: ServerFailure) => unknown
  /** Receives a line for each failure, without secrets; by default `console.error`. */
  log?: (line: string) => unknown
  /**
   * True if clients get the messages of failures as they are: for development, since they may name keys, addresses and
   * users. By default they get the code and its sentence for users.
   */
  exposeErrors?: boolean
}

/** Tells the developers of a server what failed: one line each, and a call. */
export class Failures {
  readonly #options: FailureOptions
  /** Failures that were reported. A journal may reject the event of a failure, which then appears again. */
  readonly #reported = new WeakSet<Failure>()

  constructor(options: FailureOptions) {
    this.#options = options
  }

  /** Reports the failure in an event of a run, if there is one. */
  receiveEvent(event: AnyEvent, state: RunState): void {
    const found = failureIn(event, state)
    if (!found || !this.#isNews(found.error)) return
    const { agent, runId: kept } = state
    const [user, runId] = ownerAndId(kept)
    this.#report({ ...found, agent, runId, user }, `${lineOf(found)} in run ${runId} of "${agent}"`)
  }

  /** Reports the calls that failed in a child run, which no observer sees. The journal gets its events. */
  receiveChildEvents(kept: string, events: readonly Event[]): void {
    const [user, runId] = ownerAndId(kept)
    if (!runId.includes('/')) return
    for (const event of events) {
      if (event.type !== 'observed' || !event.error) continue
      const { error } = event
      if (this.#isNews(error)) this.#report({ of: 'tool', error, runId, user }, `a tool failed in run ${runId}`)
    }
  }

  /** Returns true for a failure that is to be reported, the first time that it appears. */
  #isNews(error: Failure): boolean {
    if (quiet.has(error.code) || this.#reported.has(error)) return false
    this.#reported.add(error)
    return true
  }

  /** Reports the reason why a run does not continue here. */
  receiveRunError(cause: unknown, kept: string): void {
    const error = toFailure(cause, 'server_failed')
    if (quiet.has(error.code)) return
    const [user, runId] = ownerAndId(kept)
    this.#report({ of: 'run', error, cause, runId, user }, `the run ${runId} cannot be resumed here`)
  }

  /** Reports an error that a request could not be answered with. */
  receiveError(cause: unknown, request: Pick<Request, 'method' | 'url'> | undefined): void {
    const error = toFailure(cause, 'server_failed')
    const where = request ? `${request.method} ${pathOf(request.url)}` : 'a request'
    this.#report({ of: 'request', error, cause }, `${where} failed`, describe(cause, 4))
  }

  #report(failure: ServerFailure, what: string, words = oneLine(failure.error.message)): void {
    const { onFailure, log = console.error } = this.#options
    const { code, status } = failure.error
    const { developer } = adviceOf(failure.error)
    const advice = failure.of === 'request' || developer === undefined ? '' : ` ${developer}`
    const said = words === '' || /[.!?]$/.test(words) || advice === '' ? words : `${words}.`
    const line = `Interleave: ${what} (${code}${status === undefined ? '' : ` ${status}`}): ${said}${advice}`
    quietly(() => reportRejection(log(redact(line).value)))
    quietly(() => reportRejection(onFailure?.(failure)))
  }
}

/** Codes that are no failure of the server: of users, of a model that is corrected, and of a run that continues elsewhere. */
const quiet: ReadonlySet<string> = new Set<Failure['code']>([
  ...(['guard_blocked', 'interrupted', 'journal_conflict', 'stopped'] as const),
  ...(['tool_input_invalid', 'tool_refused', 'tool_skipped', 'tool_unknown'] as const),
])

type Found = Pick<ServerFailure, 'of' | 'error' | 'tool'>

function failureIn(event: AnyEvent, state: RunState): Found | undefined {
  if (event.type === 'retrying') return { of: 'try', error: event.error }
  if (event.type === 'settled' && event.signal.type === 'failed') {
    const { error } = event.signal
    return { of: error.code.startsWith('journal_') ? 'journal' : 'run', error }
  }
  if (event.type !== 'observed' || !event.error) return undefined
  const turn = state.history.at(-1)?.findLast((entry) => entry.type === 'turn')
  const tool = turn?.calls.find(({ key }) => key === event.call)?.name
  return { of: 'tool', error: event.error, ...(tool !== undefined && { tool }) }
}

const words: Readonly<Record<ServerFailure['of'], string>> = {
  run: 'failed',
  tool: 'a tool failed',
  try: 'a model failed and is tried again',
  journal: 'the journal failed',
  request: 'a request failed',
}

const lineOf = ({ of, tool }: Found): string => (tool === undefined ? words[of] : `the tool "${tool}" failed`)

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 2_000)

/** Formats an error with its stack and causes, at most this many, which may be cyclic. */
function describe(error: unknown, most: number): string {
  const { stack, cause } = Object(error) as { readonly stack?: unknown; readonly cause?: unknown }
  const said = typeof stack === 'string' ? stack : messageOf(error)
  return cause === undefined || most === 1 ? said : `${said}\nCaused by: ${describe(cause, most - 1)}`
}
