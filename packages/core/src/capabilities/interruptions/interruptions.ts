import { AgentError } from '../../error.ts'
import { interruptionOf } from '../../state.ts'
import type { Claiming, Interrupted } from '../../step.ts'
import type { Interruptions, Outcome } from '../../tool.ts'
import { asking } from '../questions/ask.ts'

/** The code for calls that may already have run. It comes with a journal, and with tools that start runs. */
export const interruptions: Interruptions = {
  ask: askAboutInterrupted,
  async claimed({ writing, run, call, wasClaimed }: Claiming) {
    try {
      await writing
    } catch (error) {
      // The tool does not start, so no user is asked later whether it ran, unless an earlier attempt may have run.
      if (!wasClaimed) run.emit({ type: 'released', call: call.key })
      throw error
    }
  },
}

/** Asks a user about a call that was started without an outcome in the log. */
async function askAboutInterrupted({ spec: { name }, call, activity }: Interrupted): Promise<Outcome | undefined> {
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
