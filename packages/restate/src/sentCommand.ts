import { isToolAnswer, type ToolAnswer, type ToolCall, type WantedCall } from '@interleave/connect/internal'
import { AgentError, type Event, type Failure, type StartOptions, type UserContent } from '@interleave/core'
import { type Command, fromFailure, command as ofRun } from '@interleave/core/internal'

import { count, json, listOf, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'
import type { ObjectContext } from '@restatedev/restate-sdk/fetch'
import type { RestateSdk } from './sdk.ts'

export interface Starting extends SentCommand {
  readonly command: StartCommand
}

/** The handlers that execute the run, in this or in another object. */
export type WorkingHandlers = {
  start(ctx: ObjectContext, starting: Starting): Promise<CommandResult>
  /** Executes the run. `tries` is the number of attempts without capacity. */
  work(ctx: ObjectContext, tries?: number): Promise<void>
}

/** The maximum characters of a request. Restate accepts 32 MB, and retries larger ones again and again. */
const mostChars = 10_000_000

/** Returns the length of the events as JSON. Throws if it is too much for one request. */
export function checkSize(runId: string, events: readonly Event[]): number {
  const { length } = JSON.stringify(events)
  if (length <= mostChars) return length
  throw new AgentError(
    'journal_full',
    `The run ${runId} cannot persist more than 10 MB at once. Return less from the tool, or a reference. An import or a fork writes all of a run at once.`,
  )
}

type CheckedHandler = 'append' | 'claim' | 'ask' | 'start'

const start = shapeOf({ type: oneOf('start'), agent: text, input: json, key: maybe(text) })
const anyCommand = shapeOf({ type: text })
const commandOfRun = new Set(['say', 'reply', 'stop', 'resume', 'revoke'])
const command: Shape = (value) => {
  const { type } = Object(value) as { readonly type?: unknown }
  if (type === 'start') return start(value)
  return commandOfRun.has(String(type)) ? ofRun(value) : anyCommand(value)
}

const inputs: Readonly<Record<CheckedHandler, Shape>> = {
  append: shapeOf({ id: text, events: listOf(shapeOf({ seq: count, type: text }), 1), epoch: maybe(count) }),
  claim: count,
  ask: shapeOf({ id: text, command }),
  start: shapeOf({ id: text, command: start }),
}

/** Validates the input of a handler. An invalid request is rejected at once: retries would block the run. */
export function checkInput(
  handler: CheckedHandler,
  input: unknown,
  { TerminalError }: Pick<RestateSdk, 'TerminalError'>,
): void {
  const wrong = inputs[handler](input)
  if (wrong === undefined) return
  const why = wrong === '' ? 'it is something else' : `a wrong or missing "${wrong}"`
  throw new TerminalError(`The input of ${handler} is invalid: ${why}. Use restateAgent() or restateJournal().`, {
    errorCode: 400,
  })
}

/** The offer of a page for a call. */
interface LeaseCommand extends WantedCall {
  readonly type: 'lease'
}
/** The result of a remote call. */
export interface ResultCommand {
  readonly type: 'result'
  readonly lease: string
  /** The result. Absent if the page was lost: the progress of the call is then unknown. */
  readonly answer?: ToolAnswer
}

const toolAnswer: Shape = (value) => (isToolAnswer(value) ? undefined : '')
const known = {
  lease: shapeOf({ call: text, tool: text }),
  result: shapeOf({ lease: text, answer: maybe(toolAnswer) }),
}

/** Throws for a command of another version of this package. */
export function checkPageCommand(command: LeaseCommand | ResultCommand): void {
  const wrong = known[command.type](command)
  if (wrong === undefined) return
  throw new AgentError('request_invalid', `The command for a page has a wrong or missing "${wrong}".`)
}

export interface StartCommand {
  readonly type: 'start'
  readonly agent: string
  readonly input: UserContent
  readonly key?: string
  readonly history?: StartOptions['history']
}
export interface SentCommand {
  /** The sender's id: a command that is repeated with it is applied once. */
  readonly id: string
  readonly command: Command | StartCommand | LeaseCommand | ResultCommand
}
/** The result of a command: the length of the log then, and the call for a leased page. Sent when the call starts. */
export type CommandResult = { readonly length: number; readonly toolCall?: ToolCall } | { readonly failure: Failure }

/** Returns the length of the log then. Throws the error of the command. */
export function lengthOf(result: CommandResult): number {
  if ('failure' in result) throw fromFailure(result.failure)
  return result.length
}
