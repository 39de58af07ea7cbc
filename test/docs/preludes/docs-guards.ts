import type { UserContent } from '@interleave/core'

export declare function isAttack(content: UserContent): boolean
export declare function isRude(answer: string): boolean
export interface Report {
  readonly sources: readonly string[]
}
export declare function reachable(sources: readonly string[]): Promise<boolean>
