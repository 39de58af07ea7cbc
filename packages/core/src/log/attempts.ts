import type { AttemptedTurn, Attempts, NotedRun } from '../journal.ts'
import { isObject } from '../json.ts'
import { noUsage } from '../usage.ts'

const noteOf = ({ key }: AttemptedTurn): string => `retries/${key}`

/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
export function attemptsOf({ state }: Pick<NotedRun, 'state'>, turn: AttemptedTurn): Attempts | undefined {
  const noted: unknown = state.notes[noteOf(turn)]
  if (!isAttempts(noted)) return undefined
  return noted.index < turn.models.length ? noted : { index: 0, attempt: 0, spent: noted.spent }
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
export async function noteAttempts(run: NotedRun, turn: AttemptedTurn, attempts: Attempts): Promise<void> {
  // A side call may be made again under the same key.
  if (!turn.tell) return
  run.emit({ type: 'noted', key: noteOf(turn), value: { ...attempts, spent: { ...attempts.spent } } })
  await run.durable()
}
