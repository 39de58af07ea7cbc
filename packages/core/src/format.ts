/**
 * Converts data of one format to the next. A run of an older format continues in the newest, so each migration ignores
 * what is already new.
 */
export interface Migration {
  event(event: unknown): unknown
  /** Of a state that was kept without its log. */
  state(state: unknown): unknown
}

/** The first is for format 1. They are added at the end, and never changed. */
const migrations: readonly Migration[] = []

/** The format of logs and states. The first event of a log names it; one that names none has format 1. */
export const logFormat: number = migrations.length + 1

/** The events as this version writes them. */
export function migrate(
  events: readonly unknown[],
  format: number,
  all: readonly Migration[] = migrations,
): readonly unknown[] {
  const steps = all.slice(format - 1)
  return steps.length === 0 ? events : events.map((event) => steps.reduce((older, next) => next.event(older), event))
}

/** The state as this version keeps it. */
export const migrateState = (state: unknown, format: number, all: readonly Migration[] = migrations): unknown =>
  all.slice(format - 1).reduce((older, next) => next.state(older), state)

/** Which format it is, or what is wrong with it. */
export function readFormat(format: unknown = 1, newest: number = logFormat): number | string {
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) return 'its format is not a number from 1'
  if (format <= newest) return format
  return `it is of format ${format}, and this version reads up to ${newest}. Update @interleave/core`
}
