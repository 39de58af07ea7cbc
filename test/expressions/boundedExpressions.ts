/** An expression that the checker calls superlinear, or cannot decide, and why it may stay. */
export interface BoundedExpression {
  /** The expression as it is in the code. */
  readonly expression: string
  /** The longest text that it is given; without one, a text of 100,000 characters takes linear time. */
  readonly longest?: number
  readonly reason: string
}

const message = { longest: 2_000, reason: 'The demo planner reads the first 2,000 characters of a message.' }
const valid = 'The text is a valid pattern, whose classes are closed, so each is read once.'
const window = 'Every repetition is bounded, so each character begins a bounded number of steps.'

const typed = 'A typed answer has at most 300 characters.'

export const boundedExpressions: readonly BoundedExpression[] = [
  {
    expression: String.raw`/^(?:(?:the|option|number|nr|#) ?)*([a-z]+|\d{1,2})(?:st|nd|rd|th)?(?: (?:one|option))?$/`,
    longest: 300,
    reason: typed,
  },
  { expression: String.raw`/\s*(?:[,;&+]|\band\b)\s*/i`, longest: 300, reason: typed },
  { expression: String.raw`/\\.|\[(?:\\.|[^\]\\])*\]/gs`, reason: valid },
  { expression: String.raw`/[-+(]*(?:\d|[a-z]+\()[\d\s.+\-*/^%()a-z,!]*/gi`, ...message },
  { expression: String.raw`/(-?\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+(-?\d+(?:\.\d+)?)/gi`, ...message },
  {
    expression: String.raw`/\b(?=[\p{L}\p{N}_-]*\p{N})(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]{2,}\b|\b\p{Lu}{2,}\b/gu`,
    ...message,
  },
  {
    expression: String.raw`/(?<![\p{L}\p{N}._-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\d_-]*\d)/gu`,
    ...message,
  },
  {
    expression: String.raw`/^(?:search|look|find|google|query|check|what)\b.*?\b(?:for|about|on|regarding)\s+(.+)$/i`,
    ...message,
  },
  {
    expression: String.raw`/^(.+?)\s+(?:in|from|within|of|on)\s+(?:the|this|your|our)\s+(\S+(?:\s+\S+){0,2})$/i`,
    ...message,
  },
  { expression: String.raw`/\bfrom\s+\S+.*\bto\s+\S+/i`, ...message },
  { expression: String.raw`/(?<=[\d)]\s*)[-+*/]/g`, ...message },
  {
    expression: String.raw`/(?<=\b(?:by|per|for each|for every)\s+(?:the\s+)?)[\p{L}\p{N}_]+/giu`,
    ...message,
  },
  {
    expression: String.raw`/(?<=[.!?])\s+|;\s*|\n+|(?:(?<![\s,])[\s,]+)?\b(?:and then|and afterwards|and after that|after that|afterwards|and finally|then|and also|as well as|also)\b,?\s*/gi`,
    ...message,
  },
  {
    expression: String.raw`/model_not_found|models?\b.{0,120}\b(?:not found|does not exist|is not found|unknown|not loaded)|no models? loaded|try pulling/i`,
    reason: window,
  },
  {
    expression: `/context[ _](window|length|size|limit)|context_length_exceeded|request_too_large|(prompt|input|messages?|conversation) (is|are|was|were)? ?too (long|large)|too large for model|too many (input |prompt )?tokens|token (count|limit)[^.]{0,40} exceed|exceed[^.]{0,60}token|maximum (prompt|input|number of (input )?tokens)|reduce the length of (the|your) (messages|prompt|input)/i`,
    reason: window,
  },
]
