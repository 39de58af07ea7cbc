import type { Step } from '@interleave/core'
import type { ActOptions, ThinkOptions } from '@interleave/core/steps'

export declare const limits: { iterations: number }
export declare const thinking: ThinkOptions
export declare const acting: ActOptions
export declare const before: readonly Step[]
export declare const between: readonly Step[]
export declare const after: readonly Step[]
export declare const stop: Step
