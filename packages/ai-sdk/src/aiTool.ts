import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { approval, type RunState } from '@interleave/core'
import {
  checkArgument,
  copyInput,
  decisionBy,
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

/** The context of the run and the call that `needsApproval` is asked about. */
interface About {
  readonly context: unknown
  readonly toolCallId: string
}

/**
 * A tool of the AI SDK with its hooks on the input (`onInputStart`, `onInputDelta`, `onInputAvailable`) and its approval: a
 * user is asked where `needsApproval` says so, and may edit the input and allow later calls. Tools without them work as
 * they are.
 *
 * @example
 * agent({ name: 'guide', model, tools: { draw: aiTool(draw) } })
 */
export function aiTool<Tool extends object>(tool: Tool): Tool {
  checkArgument(tool, 'tool of aiTool()', 'an object')
  const { onInputStart, onInputDelta, onInputAvailable, ...others }: InputHooks & Tool = tool
  const { needsApproval = false, ...plain } = others as { readonly needsApproval?: unknown; readonly turns?: TurnCode }
  const { turns }: { readonly turns?: TurnCode } = plain
  const made = {
    ...plain,
    ...(needsApproval !== false && { approve: policyOf(needsApproval) }),
    hooks: { onInputStart, onInputDelta },
    turns: { ...turns, receiver },
    onInput: (run: ToolRun, toolCallId: string, input: unknown) =>
      callHook(run, onInputAvailable, { toolCallId, input: copyInput(input), messages: messagesBefore(run.state) }),
  }
  return made as object as Tool
}

/** Converts `needsApproval`, which receives the messages and not the state. */
const policyOf = (needsApproval: unknown) =>
  typeof needsApproval === 'function'
    ? async (input: unknown, state: RunState, about: About) =>
        decisionBy(await needsApproval(input, { ...about, messages: messagesBefore(state) }))
    : approval()

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
