import type { AgentHandle, ToolSet } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Handler } from '@interleave/server'
import type { ChaosPlace } from '@interleave/test-kit/chaos/chaos'

export { expect, it } from 'vitest'
export declare const book: ToolSet[string]
export declare const start: ChaosPlace['start']
export declare const reply: ChaosPlace['reply']
export declare const read: ChaosPlace['read']
export declare const kill: ChaosPlace['kill']
export declare function placeOf(agent: AgentHandle, journal: Journal): ChaosPlace
export declare function serve(handle: Handler): Promise<{ url: string; stop: () => Promise<void> }>
