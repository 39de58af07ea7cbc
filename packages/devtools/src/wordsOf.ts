import type { UserContent } from '@interleave/core'

/** The words of a message; what is no text by its type. */
export const wordsOf = (content: UserContent): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join(' ')
