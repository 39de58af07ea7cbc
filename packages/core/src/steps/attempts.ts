import { isObject } from '../json.ts'
import type { RunContext } from '../run.ts'
import { noUsage, type Usage } from '../usage.ts'

/** The progress of a turn with failed attempts. */
export interface Attempts {
  /** Of the models, the one that is asked next. */
  readonly index: number
  /** The number of failures. */
  readonly attempt: number
  /** The usage of all failures. */
  readonly spent: Usage
}

/** The requested turn. */
interface Asking {
  readonly key: string
  readonly models: readonly unknown[]
  /** Only a turn of the conversation has it. */
  readonly tell?: unknown
}

const none: Attempts = { index: 0, attempt: 0, spent: noUsage }
const noteOf = ({ key }: Asking): string => `retries/${key}`

/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
export function attemptsOf({ state }: RunContext, prompting: Asking): Attempts {
  const noted: unknown = state.notes[noteOf(prompting)]
  if (!isAttempts(noted)) return none
  return noted.index < prompting.models.length ? noted : { ...none, spent: noted.spent }
}

/** A step may have written another note under this key. */
function isAttempts(noted: unknown): noted is Attempts {
  if (!isObject(noted)) return false
  const { index, attempt, spent } = noted
  return (
    isCount(index) && isCount(attempt) && isObject(spent) && Object.keys(noUsage).every((key) => isNumber(spent[key]))
  )
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value === null
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** Persists the attempts before a retry, so that a reloaded page has no more attempts than one that stays. */
export async function noteAttempts(run: RunContext, prompting: Asking, attempts: Attempts): Promise<void> {
  // What is asked beside the conversation may be asked anew under the same key.
  if (!prompting.tell) return
  run.emit({ type: 'noted', key: noteOf(prompting), value: { ...attempts, spent: { ...attempts.spent } } })
  await run.durable()
}
