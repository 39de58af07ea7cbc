import { asking } from '../ask.ts'
import { doubtOf } from '../doubtOf.ts'
import type { Call } from '../entry.ts'
import { AgentError } from '../error.ts'
import { isJournalError } from '../journalError.ts'
import { openCalls } from '../openCalls.ts'
import { failedOutcome, type Outcome } from '../outcome.ts'
import type { Activity, RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import type { ToolSpec } from '../tool.ts'
import { type Approved, approve, approveForProvider, checkInput } from './approve.ts'
import { executeTool } from './executeTool.ts'
import { tellWholeInput } from './inputTeller.ts'

/** From a call in the log to its observation: look up, check, approve, claim, run. */
export async function performCall(run: RunContext, key: string, timeoutMs: number): Promise<void> {
  const call = openCalls(run.state).find((open) => open.key === key)
  if (!call) return
  const activity = run.activity(key)
  const startedAt = run.host.now()
  try {
    const outcome = await outcomeOf({ run, call, activity, timeoutMs })
    run.emit({ type: 'observed', call: key, ms: run.host.now() - startedAt, ...outcome })
  } finally {
    activity.end()
  }
}

interface Performing {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
  readonly timeoutMs: number
}

async function outcomeOf(performing: Performing): Promise<Outcome> {
  const { run, call, activity } = performing
  try {
    if (call.approvalId !== undefined) return await approveForProvider(call, activity)
    if (call.invalid) throw new AgentError('tool_input_invalid', call.invalid)
    const spec = findTool(run, call.name)
    const proposed = await checkInput({ run, spec }, call.input)
    tellWholeInput(run, spec, { toolCallId: call.id, input: proposed })
    const approved = await approve({ run, call, activity, spec, input: proposed })
    const doubt =
      call.calledAt === undefined || hasAsked(run, call) ? undefined : await settleDoubt(spec, call, activity)
    if (doubt) return doubt
    if (call.calledAt === undefined || !spec.resumes) claim(performing, spec, approved)
    await run.durable(spec.effect === 'pure' ? 'relaxed' : 'strict')
    run.abortSignal.throwIfAborted()
    return await executeTool({ ...performing, spec, input: approved.input, ms: spec.timeoutMs ?? performing.timeoutMs })
  } catch (error) {
    // What breaks the run itself is not the tool's doing: it ends the run, and the call stays open.
    if (isJournalError(error)) throw error
    if (run.abortSignal.aborted && run.agent.tools[call.name]?.resumes) throw error
    return failedOutcome(run.abortSignal.aborted ? run.abortSignal.reason : error)
  }
}

function claim({ run, call }: Performing, { resumes }: ToolSpec, { edited }: Approved): void {
  const event = { type: 'called', call: call.key, ...(edited !== undefined && { input: edited }) } as const
  run.emit(resumes ? { ...event, resumes } : event)
}

function findTool({ agent: { tools }, state }: RunContext, name: string): ToolSpec {
  const spec = tools[name]
  if (spec && isOpen(spec, state)) return spec
  if (spec?.bundle) {
    const bundle = spec.bundle.name
    throw new AgentError('tool_unknown', `"${name}" can be called once "${bundle}" is open. Call "${bundle}" first.`)
  }
  const names = Object.keys(tools).join(', ')
  throw new AgentError(
    'tool_unknown',
    `There is no tool "${name}". ${names ? `The tools are: ${names}.` : 'There are no tools.'}`,
  )
}

/** What the same turn opened, the model did not know when it made its calls. */
const isOpen = ({ bundle }: ToolSpec, state: RunState): boolean =>
  !bundle || (bundle.openedAt(state) ?? state.iteration) < state.iteration

/** Whether the tool asked people, answered or not: such a tool may run again from its top. */
function hasAsked({ state }: RunContext, { key }: Call): boolean {
  // Read anew: the answer may have come while the call was looked into.
  const notes = openCalls(state).find((call) => call.key === key)?.notes ?? {}
  const ids = [...Object.keys(notes), ...state.asks.map(({ id }) => id)]
  return ids.some((id) => id.startsWith(`${key}/ask/`))
}

/**
 * The log says that this call was begun, and not what came of it. Tools that may run twice simply do; a tool that asks
 * people is resumable by contract; for any other a person decides.
 */
async function settleDoubt({ name, effect }: ToolSpec, call: Call, activity: Activity): Promise<Outcome | undefined> {
  if (effect !== 'once') return undefined
  const decision = await activity.ask(
    doubtOf(call.key),
    asking<'again' | 'done' | 'skip'>({
      kind: 'choice',
      prompt: `${name} was interrupted and may have happened already. What now?`,
      options: [
        { value: 'again', label: 'Run it again' },
        { value: 'done', label: 'It did happen' },
        { value: 'skip', label: 'Skip it' },
      ],
    }),
  )
  if (decision === 'again') return undefined
  if (decision === 'done') return { result: { type: 'text', value: 'Done, as the user confirms. The output is lost.' } }
  throw new AgentError('tool_skipped', 'The user decided to skip this call. It may have happened.')
}
