import type { ToolSet } from '@interleave/core'

export declare const searchGuide: ToolSet[string]
