import type { Journal } from '@interleave/core/journal'

export { it } from 'vitest'
export declare const id: string
export declare function report(text: string): void
export declare function myEmptyJournal(): Journal
