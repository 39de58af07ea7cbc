import type { ToolErrand } from '@interleave/connect/internal'
import type { Failure, StartOptions, UserContent } from '@interleave/core'
import { type Command, fromFailure } from '@interleave/core/internal'
import type { LendCommand, PerformedCommand } from './pageCommands.ts'

/** The beginning of a run, as it is asked for. */
export interface StartCommand {
  readonly type: 'start'
  readonly agent: string
  readonly input: UserContent
  readonly key?: string
  readonly history?: StartOptions['history']
}
export interface Asked {
  /** Of who asks: asked again with it, it is done once. */
  readonly id: string
  readonly command: Command | StartCommand | LendCommand | PerformedCommand
}
/** What came of it: how long the log was then, and what a page that was lent is to do. It is told when the call is begun. */
export type Told = { readonly length: number; readonly errand?: ToolErrand } | { readonly failure: Failure }

/** How long the log was then. Throws what went wrong. */
export function lengthOf(told: Told): number {
  if ('failure' in told) throw fromFailure(told.failure)
  return told.length
}
