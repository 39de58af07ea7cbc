/** Milliseconds of a clock that all threads of a process share. */
export const clock = (): number => performance.timeOrigin + performance.now()
