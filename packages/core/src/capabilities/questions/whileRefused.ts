import { mayRelease } from '../../call.ts'
import { executingOf } from '../../calls/executeTool.ts'
import { questionChanges } from '../../changes/questions.ts'
import { AgentError } from '../../error.ts'
import { openCall } from '../../state.ts'
import type { ToolContext } from '../../tool.ts'
import { type AskingCall, claimAgain } from './askInCall.ts'

/**
 * Does what a call needs whose other side has refused it before anything ran, such as a sign-in. If the page closes
 * meanwhile, no user is asked whether the call ran. It is claimed again before it continues.
 */
export async function whileRefused<T>(context: ToolContext, work: () => PromiseLike<T>): Promise<T> {
  const executing = executingOf(context)
  if (!executing) return work()
  const { run, call, activity, spec } = executing
  const asking = { run, call: call.key, activity, isOnce: spec.effect === 'atMostOnce' }
  const consent = openCall(run.state, call.key)?.consent
  // It may have asked nothing yet.
  run.learn(questionChanges)
  await release(asking)
  const result = await work()
  const isTakenBack = consent !== undefined && openCall(run.state, call.key)?.consent === undefined
  if (isTakenBack) throw new AgentError('tool_refused', 'The permission for this call was taken back before it ran.')
  await claimAgain(asking)
  return result
}

/** Notes that a call has not begun, unless it did something else. */
async function release({ run, call: key, isOnce }: AskingCall): Promise<void> {
  const call = openCall(run.state, key)
  if (!isOnce || !call || !mayRelease(call)) return
  run.emit({ type: 'released', call: key })
  await run.durable('strict')
}
