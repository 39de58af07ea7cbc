import { demand } from '@interleave/core/internal'
import { defaultLimits, type HandlerLimits } from './handlerOptions.ts'

/** The limits that hold where some are given. */
export function checkLimits(given: Partial<HandlerLimits> = {}): HandlerLimits {
  const limits = { ...defaultLimits, ...given }
  for (const [name, value] of Object.entries(limits)) {
    demand(typeof value === 'number' && value > 0, `limits: { ${name} } needs a number above 0.`)
  }
  return limits
}
