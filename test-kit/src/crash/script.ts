import { type Agent, type Ask, agent, type Run, type RunState } from '@interleave/core'
import { deedTools } from './deedTools.ts'
import { type Lines, speaker } from './speaker.ts'
import type { Describe, Life } from './world.ts'

/** A run as it is to go, with what a person does in it. */
export interface Script {
  readonly name: string
  readonly describe: Describe
  /** The user's reply. By default the user allows everything and chooses the first option. */
  readonly reply?: (ask: Ask) => unknown
  readonly acts?: readonly Act[]
  /** Calls during which a person acts: what comes of them depends on who was first. */
  readonly raced?: readonly string[]
  /** The calls that a page starts after a crash before the user is back, and that had not started without the crash. */
  readonly late?: readonly string[]
  /** Turns that may be asked for at the same time; 1 by default. */
  readonly sideBySide?: number
  /** A journal that refuses ends its turn, and another turn follows: nothing to compare. */
  readonly endsUnkept?: true
}

/** Something that a person does while the run works, until it is done. */
interface Act {
  readonly when: (state: RunState) => boolean
  readonly isDone: (state: RunState) => boolean
  readonly act: (run: Run) => unknown
}

export type Options = Partial<Parameters<typeof agent>[0]>

/** An agent that says these lines, with a tool of every kind. */
export const described = (life: Life, lines: Lines, options: Options = {}): Agent =>
  agent({ name: 'a', model: speaker(life, 'a', lines), tools: deedTools(life), ...options } as never)
