import type { LanguageModelV4Message } from '@ai-sdk/provider'
import {
  checkArgument,
  copyInput,
  messagesBefore,
  promptBuilder,
  reportLater,
  type ToolSpec,
  type TurnCode,
} from '@interleave/core/internal'

/** Hooks of the AI SDK's tools on their input, while the model writes it and when it is complete. */
interface InputHooks {
  readonly onInputStart?: Hook
  readonly onInputDelta?: Hook
  readonly onInputAvailable?: Hook
}
type Hook = ((options: never) => unknown) | undefined
type HookedSpec = ToolSpec & { readonly hooks?: InputHooks }
type ToolRun = Parameters<NonNullable<ToolSpec['onInput']>>[0]

/**
 * A tool of the AI SDK with its hooks on the input: `onInputStart`, `onInputDelta`, `onInputAvailable`. Tools without them
 * work as they are.
 *
 * @example
 * agent({ name: 'guide', model, tools: { draw: aiTool(draw) } })
 */
export function aiTool<Tool extends object>(tool: Tool): Tool {
  checkArgument(tool, 'tool of aiTool()', 'an object')
  const { onInputStart, onInputDelta, onInputAvailable, ...plain }: InputHooks & Tool = tool
  const { turns }: { readonly turns?: TurnCode } = plain
  const made = {
    ...plain,
    hooks: { onInputStart, onInputDelta },
    turns: { ...turns, receiver },
    onInput: (run: ToolRun, toolCallId: string, input: unknown) =>
      callHook(run, onInputAvailable, { toolCallId, input: copyInput(input), messages: messagesBefore(run.state) }),
  }
  return made as object as Tool
}

/** Creates the receiver of a turn's deltas: the run, and the tools that read their input while it streams. */
const receiver: NonNullable<TurnCode['receiver']> = (run) => {
  const started = new Set<string>()
  let before: LanguageModelV4Message[] | undefined
  return (delta) => {
    run.live(delta)
    const { hooks }: HookedSpec = Object(delta.tool === undefined ? undefined : run.agent.tools[delta.tool])
    if (delta.kind !== 'input' || !hooks) return
    const { id = '', delta: inputTextDelta } = delta
    const name = started.has(id) ? 'onInputDelta' : 'onInputStart'
    started.add(id)
    // The same for a whole turn: converting the history for each delta would cost more than the model call.
    before ??= promptBuilder().messages(structuredClone(run.state))
    callHook(run, hooks[name], { toolCallId: id, messages: before, ...(name === 'onInputDelta' && { inputTextDelta }) })
  }
}

/** Calls a hook without waiting. Its exceptions are reported. */
function callHook({ abortSignal, context }: ToolRun, hook: Hook, details: object): void {
  const calling = async (): Promise<unknown> => hook?.({ ...details, abortSignal, context } as never)
  calling().catch(reportLater)
}
