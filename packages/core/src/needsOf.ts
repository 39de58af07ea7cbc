import type { Step } from './run.ts'

/** What a step needs of its agent. A step that stands around another passes it on. */
export type Needs = Pick<Step, 'tools' | 'instructions' | 'mayCall' | 'ownModel'>

export const needsOf = ({ tools, instructions, mayCall, ownModel }: Step): Needs => ({
  ...(tools && { tools }),
  ...(instructions !== undefined && { instructions }),
  ...(mayCall !== undefined && { mayCall }),
  ...(ownModel !== undefined && { ownModel }),
})
