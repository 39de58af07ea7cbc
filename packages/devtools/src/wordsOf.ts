import type { UserContent } from '@interleave/core'

/** Returns the text of a message; other parts by their type. */
export const wordsOf = (content: UserContent): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join(' ')
