import type { Ask, Event, Json, Signal } from '@interleave/core'
import { canonicalJson, toJson, wrongMoves } from '@interleave/core/internal'
import type { Permission } from '@interleave/core/observe'
import { keyPathOf, Logs, pathOf } from './logs.ts'

/** The invariants, by their numbers in `docs/architecture.md`. `live`: a run comes to its end. `owner`: only the latest page that claimed a run writes. */
export type Rule = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I10' | 'live' | 'owner'

export interface Violation {
  readonly rule: Rule
  readonly what: string
}

/** Something that a tool did to the world outside. */
export interface Deed {
  /** The idempotency key without the run's id. */
  readonly call: string
  /** The name of the tool's effect. */
  readonly part: string
  /** True if a repetition needs a user's permission. */
  readonly isOnce: boolean
  readonly value?: Json
  /** The number of permissions to run the call again that there were when this attempt of it began. */
  readonly leave?: number
  /** True if its call is over: the run was stopped, or the call's time is up. */
  readonly isOver?: boolean
}

/**
 * Stands outside of every page: it knows what the journal has, what was done to the world, and what users saw, and judges each
 * of them at the instant when it happens.
 */
export class Witness {
  /** The events of the run and its child runs that the journal has. */
  readonly logs: Logs = new Logs()
  readonly deeds: Deed[] = []
  readonly violations: Violation[] = []
  /** The questions as the user saw them, by the names of the reply. */
  readonly #seen = new Map<string, Ask>()
  /** The number of permissions to run a call again before the run was moved, by call. */
  readonly #leaveBefore = new Map<string, number>()
  /** The permissions for good that there ever were, by id, and the length of the log when one was taken back. */
  readonly #persistent = new Map<string, { readonly allowed: Permission; readonly backAt?: number }>()
  /** The values of `once` that were acted on, by call. */
  readonly #values = new Map<string, string>()
  readonly #owners = new Map<string, object>()
  /** The pages that claimed or wrote a log, in order. */
  readonly owning: object[] = []
  /** True if the run came from elsewhere, and no user has continued it here. */
  #isUntouched = false
  /** A user has stopped the run, and has not continued it. */
  #isStopping = false
  /** True if a user has ever stopped the run. */
  #wasStopped = false

  report(rule: Rule, what: string): void {
    this.violations.push({ rule, what })
  }

  /** A user has answered what was on the screen. The reply counts once the journal has it. */
  answered(reply: Replied, seen: Ask): void {
    for (const name of namesOf(reply)) this.#seen.set(name, seen)
  }

  /** A page has claimed the log of this path. */
  claims(path: string, page: object): void {
    this.owning.push(page)
    this.#owners.set(path, page)
  }

  /** owner: the journal takes a write of this page. One that takes time is not judged: the page may have lost the run meanwhile. */
  writes(path: string, page: object, { isJudged }: { readonly isJudged: boolean }): void {
    this.owning.push(page)
    if (isJudged && this.#owners.get(path) !== page)
      this.report('owner', `A page writes to the log "${path}" that another page has claimed since.`)
  }

  /** The events of the run itself that the journal has. */
  get journal(): Event[] {
    return this.logs.of('')
  }

  /** The run was put into another journal, which has this log. What was approved before counts no more. */
  move(log: readonly Event[]): void {
    for (const { call } of this.deeds) this.#leaveBefore.set(call, this.leaveOf(call))
    this.logs.clear()
    this.journal.push(...log)
    this.#seen.clear()
    this.#values.clear()
    this.#isUntouched = true
  }

  /** A user continues the run. */
  touch(): void {
    this.#isUntouched = false
    this.#isStopping = false
  }

  /** A user stops the run. */
  stops(): void {
    this.#isStopping = true
    this.#wasStopped = true
  }

  /** I8: the run ends with this. `isOvertaken`: another page has it. */
  endsWith(signal: Signal, isOvertaken: boolean): void {
    if (signal.type === 'stopped' && !this.#wasStopped) this.report('I8', 'The run is stopped, and by no user.')
    if (signal.type === 'failed' && signal.error.code === 'journal_conflict' && !isOvertaken)
      this.report('I8', 'The run ends for another owner, and there is none.')
  }

  /** The stop is over, or the page that was to stop is gone. */
  hasStopped(): void {
    this.#isStopping = false
  }

  /** I7: the run works. */
  works(what: string): void {
    if (this.#isUntouched) this.report('I7', `${what}, and nobody has continued the run here.`)
  }

  /** A model is asked, by a request that is not aborted. */
  requests(turn: number): void {
    if (this.#isStopping) this.report('live', `A model is asked for turn ${turn}, and the user has stopped the run.`)
  }

  /** I1: a tool starts. `emitted` has the events of the page that it starts in. */
  starts(call: string, emitted: readonly Event[]): void {
    const isClaim = (event: Event): event is Extract<Event, { type: 'claimed' }> =>
      event.type === 'claimed' && event.call === call
    this.works(`${call} starts`)
    const own = emitted.findLast(isClaim)
    if (!own) this.report('I1', `${call} starts without an event \`claimed\`.`)
    else if (!this.logs.all.some((event) => isClaim(event) && event.seq === own.seq && event.at === own.at))
      this.report('I1', `${call} starts, and its event \`claimed\` is not in the journal.`)
  }

  /** I2: an approved call gets this input. */
  runs(call: string, input: unknown): void {
    const key = `${call}/approval`
    const answer = this.journal.findLast((event) =>
      event.type === 'permitted' ? event.ask.id.startsWith(key) : event.type === 'replied' && event.ask.startsWith(key),
    )
    if (answer?.type === 'permitted' && answer.persistent) {
      this.#runsPersistent(answer, call, input)
      return
    }
    if (answer?.type === 'permitted') {
      this.#runsPermitted(answer, call, input)
      return
    }
    const replied = this.logs.all.findLast(
      (event): event is Replied => event.type === 'replied' && event.ask.startsWith(key),
    )
    const seen = replied && this.#seenFor(replied)
    if (!replied || seen?.kind !== 'approval') {
      this.report('I2', `${call} runs unapproved.`)
      return
    }
    const reply = replied.value as { readonly approved: boolean; readonly input?: Json }
    const [wanted, is] = [canonicalJson(reply.input ?? seen.input), canonicalJson(toJson(input))]
    if (!reply.approved) this.report('I2', `${call} runs although it was refused.`)
    else if (is !== wanted) this.report('I2', `${call} was approved with ${wanted} and runs with ${is}.`)
  }

  /** Returns the question as the user saw it who gave this reply. The reply of a child is that of the run to the same question, or else to the latest. */
  #seenFor(replied: Replied): Ask | undefined {
    const [own = '', ofKey = ''] = namesOf(replied)
    const written =
      this.journal.findLast(
        (event): event is Replied => event.type === 'replied' && pathOf(event.ask) === replied.ask,
      ) ?? this.journal.findLast((event): event is Replied => event.type === 'replied' && namesOf(event)[1] === ofKey)
    const [ofRun = ''] = written ? namesOf(written) : []
    return this.#seen.get(own) ?? this.#seen.get(ofRun) ?? this.#seen.get(ofKey)
  }

  /** The permissions for good that the store has. */
  get allowed(): readonly Permission[] {
    return [...this.#persistent.values()].flatMap(({ allowed, backAt }) => (backAt === undefined ? [allowed] : []))
  }

  allows(allowed: Permission): void {
    this.#persistent.set(allowed.id, { allowed })
  }

  takesBack(id: string): void {
    const known = this.#persistent.get(id)
    if (known) this.#persistent.set(id, { ...known, backAt: this.journal.length })
  }

  /** I2: a call runs because a user had allowed such calls for good, of this very tool, and has not taken it back before it was made. */
  #runsPersistent({ ask, by }: Extract<Event, { type: 'permitted' }>, call: string, input: unknown): void {
    const { allowed: given, backAt = Number.POSITIVE_INFINITY } = this.#persistent.get(by) ?? {}
    if (!given || ask.kind !== 'approval') {
      this.report('I7', `${call} runs by a permission for good that no user has given.`)
      return
    }
    const made = this.journal.findLast(({ type, iteration }) => type === 'thought' && call.startsWith(`${iteration}/`))
    if ((made?.seq ?? 0) > backAt) this.report('I2', `${call} runs by a permission for good that was taken back.`)
    if (canonicalJson(toJson(given.ask.schema)) !== canonicalJson(toJson(ask.schema)))
      this.report('I2', `${call} runs by a permission for good for another tool.`)
    const [wanted, shown] = [canonicalJson(given.input), canonicalJson(ask.input)]
    if (given.scope === 'input' && shown !== wanted)
      this.report('I2', `${call} runs with ${shown}, and the permission for good is for ${wanted}.`)
    if (canonicalJson(toJson(input)) !== shown) this.report('I2', `${call} was allowed with another input.`)
  }

  /** I2 and I7: a call runs because a user had allowed such calls here, of this very tool, and has not taken it back. */
  #runsPermitted({ seq, ask, by }: Extract<Event, { type: 'permitted' }>, call: string, input: unknown): void {
    const reply = this.journal.findLast((event) => event.type === 'replied' && event.ask === by && event.seq < seq)
    const [seen] = reply?.type === 'replied' ? namesOf(reply).map((name) => this.#seen.get(name)) : []
    if (reply?.type !== 'replied' || seen?.kind !== 'approval' || ask.kind !== 'approval') {
      this.report('I7', `${call} runs by a permission that no user has given here.`)
      return
    }
    const { remember, input: edited } = reply.value as { readonly remember?: string; readonly input?: Json }
    const isTakenBack = this.journal.slice(reply.seq, seq).some((event) => event.type === 'revoked' && event.id === by)
    if (isTakenBack) this.report('I2', `${call} runs by a permission that was taken back.`)
    if (canonicalJson(toJson(seen.schema)) !== canonicalJson(toJson(ask.schema)))
      this.report('I2', `${call} runs by a permission for another tool.`)
    const [wanted, shown] = [canonicalJson(edited ?? seen.input), canonicalJson(ask.input)]
    if (remember === 'input' ? shown !== wanted : remember !== 'tool')
      this.report('I2', `${call} runs with ${shown}, and the permission is for ${wanted}.`)
    if (canonicalJson(toJson(input)) !== shown) this.report('I2', `${call} was allowed with another input.`)
  }

  /** I5: something is done to the world. */
  does(deed: Deed): void {
    const { call, part, isOnce, leave, isOver } = deed
    if (isOver) this.report('I5', `${call} ${part} is begun, and the call is over.`)
    const before = this.deeds.filter((other) => other.call === call && other.part === part)
    this.deeds.push(deed)
    if (deed.value !== undefined) this.#compareValues(call, JSON.stringify(deed.value))
    if (isOnce && before.some((other) => other.leave === leave))
      this.report('I5', `${call} ${part} is done ${before.length + 1} times, and a user allowed ${leave} more.`)
  }

  /** I5: a call is over. The model may call a tool again that failed, so one that may have run has not just failed. */
  ends({ call, error }: Extract<Event, { type: 'observed' }>): void {
    const mayHaveRun = this.deeds.some((deed) => deed.call === call && deed.isOnce)
    if (error?.code === 'tool_timeout' && mayHaveRun)
      this.report('I5', `The model is told that ${call} failed, and it may have run.`)
  }

  /** I5: a user is asked whether a call has run. */
  asks(id: string, emitted: readonly Event[]): void {
    const call = /^(.*)\/interruption/.exec(id)?.[1]
    if (call === undefined || emitted.some((event) => event.type === 'claimed' && event.call === call)) return
    this.report('I5', `A user is asked whether ${call} has run, and it was never called.`)
  }

  /** I3: callers of one key are given one value, in whatever page. */
  #compareValues(call: string, value: string): void {
    const known = this.#values.get(call) ?? value
    this.#values.set(call, known)
    if (known !== value)
      this.report('I3', `${call} acts on ${known} and on ${value}, and \`once\` gave both for one key.`)
  }

  /** Returns the number of permissions to run a call again. Each is for one attempt. */
  leaveOf(call: string): number {
    const isLeave = (event: Event): boolean =>
      event.type === 'replied' && event.ask.startsWith(`${call}/interruption`) && event.value === 'again'
    return (this.#leaveBefore.get(call) ?? 0) + count(this.logs.all, isLeave)
  }

  /** I3: a promise settles that says that the journal has such an event. */
  promises(what: string, isPromised: (event: Event) => boolean): void {
    if (!this.logs.all.some(isPromised)) this.report('I3', `${what} settles before the journal has it.`)
  }

  /** I3: a rest is reported. One that says that the journal fails cannot be in it. */
  noteSettled(signal: Signal): void {
    if (signal.type === 'failed' && signal.error.code.startsWith('journal_')) return
    const text = JSON.stringify(signal)
    const isSettled = (event: Event): boolean => event.type === 'settled' && JSON.stringify(event.signal) === text
    if (!this.journal.some(isSettled)) this.report('I3', `The rest ${signal.type} settles before the journal has it.`)
  }

  /** I4: a client is shown this much of the run. */
  shows(what: string, shown: Json, inJournal: Json): void {
    const [is, wanted] = [canonicalJson(shown), canonicalJson(inJournal)]
    if (is !== wanted) this.report('I4', `${what} sees ${is}, and the journal has ${wanted}.`)
  }

  /** I10: what the journal has moves each call along the ways of the table. */
  moves(): void {
    for (const [path, log] of this.logs.entries)
      for (const wrong of wrongMoves(log)) this.report('I10', `${path}${wrong}`)
  }

  /** Checks I6: an immutable value must not change. */
  compares(what: string, is: string, was: string): void {
    if (is === was) return
    const at = [...was].findIndex((character, index) => is[index] !== character)
    const from = Math.max(0, at - 40)
    this.report('I6', `${what} has changed from …${was.slice(from, from + 120)}… to …${is.slice(from, from + 120)}…`)
  }
}

type Replied = Extract<Event, { type: 'replied' }>

/** The second name is the same in the logs of a run and its child. After a crash a child is given the reply that its parent has. */
const namesOf = ({ seq, ask, value }: Replied): readonly string[] => [
  `${seq} ${ask} ${canonicalJson(value)}`,
  `${keyPathOf(ask)} ${canonicalJson(value)}`,
]

const count = <T>(items: readonly T[], fits: (item: T) => boolean): number => items.filter(fits).length
