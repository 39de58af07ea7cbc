import { vi } from 'vitest'

/** Resolves once the assertions pass, with what the last one returns. Rejects as they do after 30 seconds, a limit for what hangs. */
export const eventually = <T>(assert: () => T | Promise<T>): Promise<T> => vi.waitFor(assert, { timeout: 30_000 })
