import { AgentError } from '@interleave/core'
import { toJson } from '@interleave/core/internal'
import type { Doing } from './doing.ts'
import type { ToolErrand } from './hostMessage.ts'

/** The second argument of a function in a page. */
export interface PageContext {
  /**
   * Aborts when the run is stopped, the call's time is up, or the worker is gone. The call is over then, whether the function
   * listens or not.
   */
  readonly abortSignal: AbortSignal
  readonly toolCallId: string
  readonly runId: string
  /** The same for every attempt of this call, and for no other call of any run. */
  readonly idempotencyKey: string
}

/** Performs a tool of the worker's agent. What it returns goes back as plain JSON; what it throws, the model reads. */
export type PageFunction = (input: never, context: PageContext) => unknown

export interface PageTools {
  readonly tools: Readonly<Record<string, PageFunction>>
  readonly doing: Doing
}

export async function performTool(errand: ToolErrand, { tools, doing }: PageTools): Promise<void> {
  const { call, name, input, toolCallId, runId, idempotencyKey } = errand
  const perform = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!perform) throw new AgentError('tool_unknown', `This page has no function for the tool "${name}".`)
  const { abortSignal } = doing
  const output = await perform(input as never, { abortSignal, toolCallId, runId, idempotencyKey })
  doing.send({ type: 'output', call, value: toJson(output) })
}
