import type { Event } from '@interleave/core'

const texts = new WeakMap<Event, string>()

/** An event as text to search in. */
function textOf(event: Event): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = JSON.stringify(event).toLowerCase()
  texts.set(event, text)
  return text
}

/** The events of this type, or of all, that have all of these words in them. */
export function findEvents(
  events: readonly Event[],
  { type, words }: { readonly type: string; readonly words: string },
): readonly Event[] {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (type === '' && needles.length === 0) return events
  return events.filter(
    (event) => (type === '' || event.type === type) && needles.every((needle) => textOf(event).includes(needle)),
  )
}
