// Made once: a formatter costs more than what it formats, and a list has many times.
const timeOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayWithYearOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** Returns a moment in its shortest form: a time of today, a day of this year, or a day with its year. */
export function whenWords(at: number, now: Date): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return ''
  if (then.toDateString() === now.toDateString()) return timeOf.format(then)
  return (then.getFullYear() === now.getFullYear() ? dayOf : dayWithYearOf).format(then)
}
