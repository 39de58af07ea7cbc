import type { Journal } from '@interleave/core/journal'

export declare function show(what: unknown): void
export declare function save(what: unknown): Promise<void>
export declare function download(text: string): void
/** Of files. */
export declare const text: string
export declare const file: string
export declare const other: Journal
