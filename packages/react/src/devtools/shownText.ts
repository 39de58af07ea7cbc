// Format controls (bidirectional, zero-width, tags), fillers that show nothing, and control characters but tab and newline.
const unseen = /\p{Cf}|\u034f|[\u115f\u1160\u3164\uffa0]|(?![\t\n])\p{Cc}/gu

/** A text that somebody else wrote, with what does not show written out: it looks like what it is. */
export const shownText = (text: string): string =>
  text.replace(unseen, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

/** A value as JSON to read. */
export const shownJson = (value: unknown): string => shownText(JSON.stringify(value, null, 2) ?? '')
