import { DEV } from '#checks'
import type { EventBody } from './event.ts'
import type { Host } from './host.ts'
import type { Json } from './json.ts'
import { assertOption } from './options.ts'
import type { ApprovalAsk, Permission } from './permission.ts'
import type { Ask, Question } from './question.ts'
import type { Checked } from './schema.ts'
import type { Changes, RunState } from './state.ts'

/** A question together with the type of its answer, as `choice`, `confirm`, `form` and the others make it. */
export interface TypedQuestion<T> {
  readonly question: Question | PromiseLike<Question>
  /** Turns a reply of any origin into the typed answer, or into a problem. */
  check(reply: unknown): Checked | PromiseLike<Checked>
  /** The code that asks and waits, which comes with the question. */
  readonly engine: QuestionEngine
  /** For inference only; never set. */
  readonly answer?: T
}

/** The code for questions. It comes with each question, and with a journal, whose runs may have asked some. */
export interface QuestionEngine {
  /** Creates the list of a run's open questions. */
  open(desk: QuestionDesk): OpenQuestions
  /** Asks from inside a tool's function, which may not act twice on a reply. */
  askInCall(asking: CallAsking): Promise<unknown>
  /** The changes of its events, besides those of all questions. */
  readonly changes?: Changes
  /** Returns the permission that answers a question, if a user gave one earlier. */
  permissionFor?(all: readonly Permission[] | undefined, ask: ApprovalAsk): Permission | undefined
}

/** Returns the code that comes with a question. Throws for anything else. */
export function engineOf(question: TypedQuestion<unknown>): QuestionEngine {
  const { engine }: Partial<typeof question> = Object(question)
  assertOption(
    engine,
    DEV &&
      'ask() needs a question of choice(), choices(), confirm(), text(), form() or link(), and run.ask() a key before it.',
  )
  return engine
}

/** The part of a run that questions read and write. */
interface AskedRun {
  readonly state: RunState
  emit(event: EventBody): void
  durable(durability?: 'relaxed' | 'strict'): PromiseLike<void> | undefined
}

/** A question of a tool's function. */
export interface CallAsking {
  readonly run: AskedRun & { isFailure(error: unknown): boolean }
  /** The key of the call. */
  readonly call: string
  readonly activity: {
    readonly isDoing: boolean
    unreceived: unknown
    ask(key: string, question: TypedQuestion<unknown>): Promise<unknown>
    checkContinues(): void
  }
  /** True if the tool must not run twice. */
  readonly isOnce: boolean
  readonly key: string
  readonly question: TypedQuestion<unknown>
}

/** The open questions of a run and who waits for their replies. */
export interface OpenQuestions {
  /** True if every activity waits for a user. */
  readonly allWait: boolean
  ask(key: string, asking: TypedQuestion<unknown>, asker: Asker): Promise<unknown>
  /** Returns true if code waits for the reply to this question. */
  isAwaited(id: string): boolean
  /** Closes a question that was answered elsewhere; without a reply, one that needs no answer any more. */
  settle(key: string, reply?: Json, prompt?: string): void
  /** Validates and records a reply, and wakes its waiter. Returns the question. */
  reply(id: string, value: unknown): Promise<Ask>
  /** Forgets the questions of an activity that is over. */
  forget(asker: Asker): void
  /** Ends all waits. */
  leave(reason: unknown): void
}

/** The activity that asks. */
export interface Asker {
  /** The key of its tool call, if it is one. */
  readonly call: string | undefined
  /** Changes the number of replies that it waits for. */
  countAnswers(more: 1 | -1): void
}

/** The place in a run where its activities ask. */
export interface QuestionDesk {
  readonly log: AskedRun & {
    readonly engine: { invalidPathOf(event: EventBody): string | undefined } | undefined
    learn(changes: Changes): void
  }
  readonly host: Pick<Host, 'perform'>
  /** True while activities work or wait on their own, and not only the run as a whole. */
  readonly hasParts: boolean
  /** True if all of them wait for a user. */
  readonly areWaiting: boolean
  /** True once the work was left, as by a stop. */
  readonly isLeft: boolean
  /** Throws once the work was left. */
  checkEntered(): void
  /** Notes the `once` functions of a call that run now, before it asks. */
  noteRunning(call: string): void
  notifyIfAllWait(): void
}
