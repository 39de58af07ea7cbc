// Format controls (bidirectional, zero-width, tags), fillers that show nothing, and control characters but tab and newline.
const hidden = /\p{Cf}|\u034f|[\u115f\u1160\u3164\uffa0]|(?![\t\n])\p{Cc}/gu

/** A text that somebody else wrote, without the characters that make it look like another one. */
export const plain = (text: string): string => text.replace(hidden, '')

/** JSON to read and edit. Characters that do not show are written as escapes, so what is shown is what it says. */
export const plainJson = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? '').replace(hidden, (found) =>
    [...Array(found.length).keys()].map((i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )
