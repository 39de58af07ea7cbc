import type { LanguageModelV4 } from '@ai-sdk/provider'
import { asCutOff } from '@interleave/core/internal'
import { createDoing, type Doing } from './doing.ts'
import type { Errand, ModelErrand, ToolErrand } from './hostMessage.ts'
import type { Answer } from './pageMessage.ts'
import { performModel } from './performModel.ts'
import { type PageFunction, performTool } from './performTool.ts'
import { fromWireError, toWireError } from './wireError.ts'

export interface ErrandOptions {
  readonly tools: Readonly<Record<string, PageFunction>>
  readonly models: Readonly<Record<string, LanguageModelV4>>
  readonly send: (answer: Answer) => void
}

/** Remote calls from the worker that this page carries out. */
export interface Errands {
  perform(errand: Errand): void
  /** Nobody waits for anything of it any more. */
  abortAll(reason: unknown): void
}

export function createErrands({ tools, models, send }: ErrandOptions): Errands {
  const open = new Map<string, Doing>()

  const begin = async (errand: ToolErrand | ModelErrand): Promise<void> => {
    const doing = createDoing(send)
    open.set(errand.call, doing)
    try {
      if (errand.type === 'tool') await performTool(errand, { tools, doing })
      else await performModel(errand, { models, doing })
    } catch (error) {
      const failure =
        errand.type === 'tool' ? toWireError(error, 'tool_failed') : toWireError(asCutOff(error), 'model_failed')
      send({ type: 'failed', call: errand.call, error: failure })
    } finally {
      open.delete(errand.call)
    }
  }
  return {
    perform(errand) {
      if (errand.type === 'more') open.get(errand.call)?.grant(errand.parts)
      else if (errand.type === 'abort') open.get(errand.call)?.abort(fromWireError(errand.error))
      else void begin(errand)
    },
    abortAll(reason) {
      for (const doing of open.values()) doing.abort(reason)
    },
  }
}
