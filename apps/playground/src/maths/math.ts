import { all, create, type MathJsInstance } from 'mathjs'

export const math: MathJsInstance = create(all ?? {}, { number: 'number' })

/** Without the noise of binary fractions: 0.3, not 0.30000000000000004. */
export const tidy = (value: number): number => Number(math.format(value, { precision: 14 }))
