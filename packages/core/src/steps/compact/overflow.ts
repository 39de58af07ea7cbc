import type { Failure } from '../../error.ts'

/** Returns true if a model rejected a prompt as too long. There is no common code for it, only each provider's text. */
export const isOverflow = ({ code, message, status }: Failure): boolean =>
  code === 'model_failed' && status !== 429 && !otherwise.test(message) && tooLong.test(message)

const tooLong = new RegExp(
  [
    'context[ _](window|length|size|limit)',
    'context_length_exceeded',
    'request_too_large',
    '(prompt|input|messages?|conversation) (is|are|was|were)? ?too (long|large)',
    'too large for model',
    'too many (input |prompt )?tokens',
    'token (count|limit)[^.]{0,40} exceed|exceed[^.]{0,60}token',
    'maximum (prompt|input|number of (input )?tokens)',
    'reduce the length of (the|your) (messages|prompt|input)',
  ].join('|'),
  'i',
)

/** Limits of another kind, told in similar words: so many tokens per minute, or of output. */
const otherwise = /rate.?limit|throttl|per (minute|day|hour)|quota|please wait|too many requests/i
