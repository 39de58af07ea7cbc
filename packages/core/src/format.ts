/**
 * What makes an event of each format one of the next, the first for format 1. A run that began in an older format goes on in
 * the newest, so each of them leaves events alone that are new already.
 */
const migrations: readonly ((event: unknown) => unknown)[] = []

/** The format of logs and states. The first event of a log names it; one that names none has format 1. */
export const logFormat: number = migrations.length + 1

/** The events as this version writes them. */
export function migrate(events: readonly unknown[], format: number): readonly unknown[] {
  const steps = migrations.slice(format - 1)
  return steps.length === 0 ? events : events.map((event) => steps.reduce((older, toNext) => toNext(older), event))
}

/** Which format it is, or what is wrong with it. */
export function readFormat(format: unknown = 1): number | string {
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) return 'its format is no number from 1'
  if (format <= logFormat) return format
  return `it is of format ${format}, and this version reads up to ${logFormat}. Update @interleave/core`
}
