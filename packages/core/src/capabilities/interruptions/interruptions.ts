import { mayHaveRun } from '../../call.ts'
import { AgentError } from '../../error.ts'
import type { Activity } from '../../run.ts'
import { type Call, interruptionOf, openCall } from '../../state.ts'
import type { Claiming, Deciding } from '../../step.ts'
import { type Interruptions, mustDecide, type Outcome, type ToolSpec } from '../../tool.ts'
import { asking } from '../questions/ask.ts'

/** The code for calls that may already have run. It comes with a journal, and with tools that start runs. */
export const interruptions: Interruptions = {
  decide({ run, call, activity, spec, isInterrupted }: Deciding) {
    const needsDecision = isInterrupted
      ? mustDecide(spec)
      : // Read again: the answer may have arrived during the check of the call.
        spec.effect === 'atMostOnce' && mayHaveRun(openCall(run.state, call.key))
    return needsDecision ? askAboutInterrupted(spec, call, activity) : undefined
  },
  async claimed({ writing, run, call, wasBegun }: Claiming) {
    try {
      await writing
    } catch (error) {
      // The tool does not start, so no user is asked later whether it ran, unless an earlier attempt may have run.
      if (!wasBegun) run.emit({ type: 'released', call: call.key })
      throw error
    }
  },
}

/** Asks a user about a call that was started without an outcome in the log. */
async function askAboutInterrupted({ name }: ToolSpec, call: Call, activity: Activity): Promise<Outcome | undefined> {
  const decision = await activity.ask(
    interruptionOf(call.key),
    asking<'again' | 'done' | 'skip'>({
      kind: 'choice',
      about: 'interruption',
      prompt: `${name} was interrupted and may already have run. What should happen?`,
      options: [
        { value: 'again', label: 'Run it again' },
        { value: 'done', label: 'It already ran' },
        { value: 'skip', label: 'Skip it' },
      ],
    }),
  )
  if (decision === 'again') return undefined
  if (decision === 'done') return { result: { type: 'text', value: 'Done, as the user confirms. The output is lost.' } }
  throw new AgentError('tool_skipped', 'The user decided to skip this call. It may already have run.')
}
