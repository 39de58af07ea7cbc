/** As an SDK would send it; nothing where there is nothing. */
export const toBytes = (value?: unknown): Uint8Array =>
  value === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(value))
