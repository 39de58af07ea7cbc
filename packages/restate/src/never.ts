/** Of who is cut off nothing more is heard: neither what came of it, nor that it failed. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})
