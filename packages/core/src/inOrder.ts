import { demand } from './demand.ts'
import type { RunContext, Step } from './run.ts'
import type { Signal } from './signal.ts'

/** Steps one after another; the first signal wins. One pass of a run, from which backends are made. */
export function inOrder(...steps: readonly Step[]): Step {
  const fit = steps.length > 0 && steps.every((step) => typeof step === 'function')
  demand(fit, 'Something here is no step. Give steps such as onText(), think() or act(), or functions of a run.')
  const pass = async (run: RunContext): Promise<Signal | undefined> => {
    for (const step of steps) {
      if (run.abortSignal.aborted) return undefined
      const result = step(run)
      const signal = result && 'then' in result ? await result : result
      if (signal) return signal
    }
    return undefined
  }
  const tools: Step['tools'] = (agent) => steps.flatMap((step) => step.tools?.(agent) ?? [])
  const mayCall = steps.some((step) => step.mayCall)
  const instructions = steps.flatMap((step) => step.instructions ?? []).join('\n\n')
  return Object.assign(pass, { tools, mayCall, ...(instructions && { instructions }) })
}
