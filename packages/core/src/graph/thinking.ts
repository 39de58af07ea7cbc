import type { Step } from '../run.ts'

const thinking = Symbol('thinking')

/** Marks a step as one that asks a model. */
export const asThinking = <S extends Step>(step: S): S => Object.assign(step, { [thinking]: true })

/** Returns true if a step is known to call a model. */
export const isThinking = (step: Step): boolean => (step as { [thinking]?: boolean } | undefined)?.[thinking] === true
