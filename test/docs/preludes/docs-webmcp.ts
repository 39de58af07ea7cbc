import type { Run, ToolSet } from '@interleave/core'

export declare const book: ToolSet[string]
export declare const journal: import('@interleave/core/journal').Journal
export declare function show(run: Run): void
