import type { RunContext } from '../run.ts'
import { count, shapeOf } from '../shape.ts'
import { usage } from '../shapes.ts'
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
const shape = shapeOf({ index: count, attempt: count, spent: usage })
const noteOf = ({ key }: Asking): string => `retries/${key}`

/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
export function attemptsOf({ state }: RunContext, prompting: Asking): Attempts {
  const noted: unknown = state.notes[noteOf(prompting)]
  if (shape(noted) !== undefined) return none
  const known = noted as Attempts
  return known.index < prompting.models.length ? known : { ...none, spent: known.spent }
}

/** Persists the attempts before a retry, so that a reloaded page has no more attempts than one that stays. */
export async function noteAttempts(run: RunContext, prompting: Asking, attempts: Attempts): Promise<void> {
  // What is asked beside the conversation may be asked anew under the same key.
  if (!prompting.tell) return
  run.emit({ type: 'noted', key: noteOf(prompting), value: { ...attempts, spent: { ...attempts.spent } } })
  await run.durable()
}
