import { mustClaimReply } from '../../call.ts'
import { openCall } from '../../state.ts'
import type { CallAsking } from '../../typedQuestion.ts'

/** A call that may ask, and whether its tool must not run twice. */
export type AskingCall = Pick<CallAsking, 'run' | 'call' | 'activity' | 'isOnce'>

/** Asks from inside a tool's function. The call is claimed again before the function gets the reply. */
export const askInCall = (asking: CallAsking): Promise<unknown> =>
  receive(asking, async () => {
    const given = await asking.activity.ask(asking.key, asking.question)
    await claimAgain(asking)
    return given
  })

/**
 * Returns the reply to a call's question. If the journal refuses it, the function has not received it: when it ends with
 * this error, the call is released, and no user is asked later whether it acted on the reply.
 */
export async function receive({ run, activity }: AskingCall, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (run.isFailure(error)) activity.unreceived = error
    throw error
  }
}

/**
 * Claims a call again before it continues with a reply, because what a tool does with a reply must not happen twice.
 * Replies that arrive meanwhile wait for the same claim. Throws if the call is over by then.
 */
export async function claimAgain({ run, call: key, isOnce, activity }: AskingCall): Promise<void> {
  if (!isOnce) return
  const isUnclaimed = (): boolean => {
    const call = openCall(run.state, key)
    return call !== undefined && mustClaimReply(call)
  }
  // Meanwhile the call may not have received a reply to another question.
  do {
    if (isUnclaimed()) run.emit({ type: 'claimed', call: key })
    await run.durable('strict')
  } while (isUnclaimed())
  activity.checkContinues()
}
