import type { OutsideOutcome } from '@interleave/connect/internal'
import type { Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import type { JsonObject } from '../client/rpc.ts'

const textPart = (text: string): JsonObject => ({ type: 'text', text })

/** Returns the output of a call, as the log has it, as a result of MCP. */
export function appResult(output: Json): JsonObject {
  if (typeof output === 'string') return { content: [textPart(output)] }
  if (isObject(output)) return { content: [textPart(JSON.stringify(output))], structuredContent: output }
  const texts = Array.isArray(output) ? output.filter(isObject).filter(({ type }) => type === 'text') : []
  return { content: texts }
}

/** Returns the error of a call as a result of MCP. */
export const errorResult = (message: string): JsonObject => ({ content: [textPart(message)], isError: true })

/** Returns the outcome of a call of an app. */
export const resultOf = (outcome: OutsideOutcome): JsonObject =>
  'error' in outcome
    ? errorResult(
        outcome.error.code === 'tool_refused'
          ? `The user refused it. ${outcome.error.message}`.trim()
          : outcome.error.message,
      )
    : appResult(outcome.output)
