/** Returns the id of a new run, which cannot be guessed: 128 random bits. */
export const newRunId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
