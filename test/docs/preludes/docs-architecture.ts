import type { RunContext } from '@interleave/core/steps'

export declare function stalled(run: RunContext): Error
