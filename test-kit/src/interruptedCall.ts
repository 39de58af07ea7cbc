import type { Ask } from '@interleave/core'

/** Returns the key of the call whose interruption a question is about, in its own run; undefined for other questions. */
export const interruptedCall = ({ about, id }: Pick<Ask, 'about' | 'id'>): string | undefined =>
  about === 'interruption' ? id.slice(id.lastIndexOf('>') + 1).replace(/\/interruption(~re\d+)?$/, '') : undefined
