import type { Run, RunState, UserContent } from '@interleave/core'
import { useMemo } from 'react'
import { useRun } from './useRun.ts'

/** A message that waits for a later turn. */
export type QueuedMessage = RunState['pending'][number]

/** The messages of a run that the model does not have yet. The functions reject with `run_busy` if it has the message. */
export interface Queue {
  /** Oldest first. */
  readonly waiting: readonly QueuedMessage[]
  /** Replaces a message. The new one comes last. */
  readonly edit: (message: QueuedMessage, content: UserContent) => Promise<void>
  /** Removes a message. */
  readonly withdraw: (message: QueuedMessage) => Promise<void>
  /** Interrupts the turn and the tools at work, so that the model receives the message next. */
  readonly sendNow: (message: QueuedMessage) => Promise<void>
}

/**
 * Returns the messages that were sent while a run works and that wait for a later turn, and what a user can do with them.
 *
 * @example
 * const { waiting, withdraw } = useQueue(run)
 * return waiting.map((message) => <button key={message.seq} onClick={() => withdraw(message)}>Withdraw</button>)
 */
export function useQueue(run: Run | undefined): Queue {
  const waiting = useRun(run, waitingIn, isSame)
  return useMemo(() => {
    const replace = async ({ seq: replaces }: QueuedMessage, content: UserContent, now = false): Promise<void> =>
      run?.say(content, { replaces, now })
    return {
      waiting,
      edit: (message, content) => replace(message, content),
      withdraw: (message) => replace(message, ''),
      sendNow: (message) => replace(message, message.content, true),
    }
  }, [run, waiting])
}

/** Messages of which the host has a position, except the one that the run works on and those of the streaming turn. */
const waitingIn = ({ pending, draft, request }: RunState): readonly QueuedMessage[] =>
  pending.filter(
    ({ by, seq }) => by === 'user' && seq !== request.seq && seq >= (draft?.heard ?? 0),
  )

const isSame = (a: readonly QueuedMessage[], b: readonly QueuedMessage[]): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index])
