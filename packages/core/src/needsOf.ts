import type { Step } from './run.ts'

/** The requirements of a step on its agent. A wrapper passes on those of the wrapped step. */
export type Needs = Pick<Step, 'tools' | 'instructions' | 'mayCall' | 'ownModel'>

export const needsOf = ({ tools, instructions, mayCall, ownModel }: Step): Needs => ({
  ...(tools && { tools }),
  ...(instructions !== undefined && { instructions }),
  ...(mayCall !== undefined && { mayCall }),
  ...(ownModel !== undefined && { ownModel }),
})
