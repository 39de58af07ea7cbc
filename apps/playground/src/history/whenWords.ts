/** When something was, as short as it can be said now: a time of today, a day of this year, or a day with its year. */
export function whenWords(at: number, now: Date): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return ''
  if (then.toDateString() === now.toDateString()) {
    return then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  }
  const year = then.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year })
}
