const shown = new WeakSet<object>()

/** Notes that a run failed with what its `say` throws: the run shows it. */
export function noteShown(error: unknown): void {
  if (error instanceof Error) shown.add(error)
}

export const isShownByRun = (error: unknown): boolean => error instanceof Error && shown.has(error)
