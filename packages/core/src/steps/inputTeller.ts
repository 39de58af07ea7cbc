import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cached } from '../cached.ts'
import type { Delta } from '../event.ts'
import { messagesBefore, promptBuilder } from '../prompt.ts'
import { reportLater } from '../reportLater.ts'
import type { Agent, RunContext } from '../run.ts'
import type { InputHooks, ToolSpec } from '../tool.ts'

const curious = new WeakMap<Agent['tools'], boolean>()
const areCurious = (tools: Agent['tools']): boolean =>
  cached(curious, tools, () => Object.values(tools).some((spec) => spec.onInputStart ?? spec.onInputDelta))

/** Creates the receiver of a turn's deltas: the run, and the AI SDK tools that read their input while it streams. */
export function inputTeller(run: RunContext): (delta: Delta) => void {
  if (!areCurious(run.agent.tools)) return run.live
  const started = new Set<string>()
  let before: LanguageModelV4Message[] | undefined
  return (delta) => {
    run.live(delta)
    const spec = delta.tool === undefined ? undefined : run.agent.tools[delta.tool]
    if (delta.kind !== 'input' || !spec) return
    const { id = '', delta: inputTextDelta } = delta
    const name = started.has(id) ? 'onInputDelta' : 'onInputStart'
    started.add(id)
    // The same for all of a turn: to convert the history for each delta would cost more than the model call.
    before ??= promptBuilder().messages(structuredClone(run.state))
    tell(run, spec[name], { toolCallId: id, messages: before, ...(name === 'onInputDelta' && { inputTextDelta }) })
  }
}

/** Tells a tool of its whole input, which was checked. The turn that wrote it is part of the history already. */
export function tellWholeInput(run: RunContext, { onInputAvailable }: ToolSpec, { toolCallId, input }: Whole): void {
  if (onInputAvailable) tell(run, onInputAvailable, { toolCallId, input, messages: messagesBefore(run.state) })
}
interface Whole {
  readonly toolCallId: string
  readonly input: unknown
}

/** Calls a hook without waiting. Its exceptions are ignored. */
function tell({ abortSignal }: RunContext, hook: InputHooks[keyof InputHooks], details: object): void {
  const told = async (): Promise<unknown> => hook?.({ ...details, abortSignal, context: undefined })
  told().catch(reportLater)
}
