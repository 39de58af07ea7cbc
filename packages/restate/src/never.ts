/** A promise that stays pending, for consumers that are cut off: they receive neither result nor error. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})
