import { type Kill, readKill } from '../kill/Kill.ts'
import { own, parseStored } from '../parts/objects.ts'

/** The notes of the user, or of this page, about runs, by the id of the run. Logs do not have them. */
export type Marks = Readonly<Record<string, Mark>>

export interface Mark {
  /** The user's name for the run, shown instead of its first words. */
  readonly name?: string | undefined
  readonly isPinned?: boolean | undefined
  /** The usage when the run last paused or finished in this page. */
  readonly tokens?: number | undefined
  /** The cost in dollars, if all turns have a price. */
  readonly cost?: number | undefined
  /** The turns that it had then, and the model of the latest. */
  readonly turns?: number | undefined
  readonly model?: string | undefined
  /** True if the user has seen its code or its test. */
  readonly sawCode?: boolean | undefined
  readonly sawTest?: boolean | undefined
  /** The time of the latest kill. */
  readonly kill?: Kill | undefined
}

/** The maximum number of runs with a mark. Beyond it the oldest marks are dropped. */
const most = 1_000

export function toMarked(marks: Marks, runId: string, change: Mark): Marks {
  const { [runId]: before, ...others } = marks
  const mark = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
  )
  const left = Object.entries(others).slice(-(most - 1))
  return Object.fromEntries(Object.keys(mark).length === 0 ? left : [...left, [runId, mark]])
}

/** Records that a killed run executes again. */
export function toBack(marks: Marks, runId: string, at: number): Marks {
  const kill = own(marks, runId)?.kill
  return kill && kill.backAt === undefined ? toMarked(marks, runId, { kill: { ...kill, backAt: at } }) : marks
}

/** Returns the part of the stored data that can be used. */
export function readMarks(json: string | null): Marks {
  const entries = Object.entries(Object(parseStored(json)))
  return Object.fromEntries(
    entries.flatMap(([runId, value]) => (runId === '__proto__' ? [] : [[runId, readMark(value)]])),
  )
}

function readMark(value: unknown): Mark {
  const given = Object(value) as Partial<Record<keyof Mark, unknown>>
  const { name, isPinned, tokens, cost, turns, model, sawCode, sawTest } = given
  const kill = readKill(given.kill)
  return {
    ...(kill && { kill }),
    ...(typeof name === 'string' && { name }),
    ...(isPinned === true && { isPinned }),
    ...(sawCode === true && { sawCode }),
    ...(sawTest === true && { sawTest }),
    ...(typeof tokens === 'number' && { tokens }),
    ...(typeof cost === 'number' && { cost }),
    ...(typeof turns === 'number' && { turns }),
    ...(typeof model === 'string' && { model }),
  }
}
