import type { Delta } from '../event.ts'
import { messagesBefore, promptBuilder } from '../prompt.ts'
import { reportLater } from '../reportLater.ts'
import type { RunContext } from '../run.ts'
import type { InputHooks, ToolSpec } from '../tool.ts'

type HookName = keyof InputHooks

/** What hears of the deltas of a turn: the run, and the tools of the AI SDK that want to see their input as it comes. */
export function inputTeller(run: RunContext): (delta: Delta) => void {
  const wants = ({ onInputStart, onInputDelta }: ToolSpec): unknown => onInputStart ?? onInputDelta
  if (!Object.values(run.agent.tools).some(wants)) return run.live
  return (delta) => {
    run.live(delta)
    const spec = delta.tool === undefined ? undefined : run.agent.tools[delta.tool]
    if (delta.kind !== 'input' || !spec) return
    const details = { toolCallId: delta.id ?? '', inputTextDelta: delta.delta }
    tellInput(run, spec, delta.delta === '' ? 'onInputStart' : 'onInputDelta', details)
  }
}

interface Details {
  readonly toolCallId: string
  readonly input?: unknown
  readonly inputTextDelta?: string
}

/** Calls a hook of a tool, if it has it. Nobody waits for it, and what it throws harms nobody. */
export function tellInput(run: RunContext, spec: ToolSpec, name: HookName, details: Details): void {
  const hook = spec[name]
  if (!hook) return
  // Once the input is whole, the turn that wrote it is part of the history already.
  const messages = name === 'onInputAvailable' ? messagesBefore(run.state) : promptBuilder().messages(run.state)
  const told = async (): Promise<unknown> =>
    hook({ ...details, messages, abortSignal: run.abortSignal, context: undefined })
  told().catch(reportLater)
}
