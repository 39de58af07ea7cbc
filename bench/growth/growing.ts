/** A function whose time grows with something that an app or its users decide, such as the length of a run. */
export interface Growing {
  /** The function, and what there are n of. */
  readonly name: string
  /** The values of n. */
  readonly sizes: readonly number[]
  /** Returns a function that makes what is worked on, anew for each measurement, and returns the work. */
  prepare(size: number): Promise<() => () => unknown>
}

/** Returns the exponent k of the power n^k that fits these times best: the slope of a line through their logarithms. */
export function exponentOf(times: ReadonlyMap<number, number>): number {
  const points = [...times].map(([size, ms]) => ({ x: Math.log(size), y: Math.log(ms) }))
  const mean = (axis: 'x' | 'y'): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const rise = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  return rise / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
}
