import type { ToolSet } from '@interleave/core'

export { memoryJournal } from '@interleave/core/journal'
export { expect, it } from 'vitest'
export declare const book: ToolSet[string]
