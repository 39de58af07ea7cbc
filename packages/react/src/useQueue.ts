import type { Run, RunState, UserContent } from '@interleave/core'
import type { SendingMessage } from '@interleave/core/observe'
import { useMemo } from 'react'
import { useRun } from './useRun.ts'

/** A message that waits for a later turn. */
export interface QueuedMessage {
  /** The key of the same message in `useMessages()`. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly content: UserContent
  /** `sending`: the host of the run does not have it yet. */
  readonly state: 'sending' | 'sent'
}

/** The messages of a run that the model does not have yet. The functions reject with `run_busy` if it has the message. */
export interface Queue {
  /** The messages, oldest first. */
  readonly waiting: readonly QueuedMessage[]
  /** Replaces a message. The new one comes last. */
  readonly edit: (message: QueuedMessage, content: UserContent) => Promise<void>
  /** Removes a message. */
  readonly withdraw: (message: QueuedMessage) => Promise<void>
  /**
   * Interrupts the turn and the tools at work, so that the model receives the message next. A message that is `sending` is sent
   * again at once.
   */
  readonly sendNow: (message: QueuedMessage) => Promise<void>
}

type Source = RunState['pending'][number] | SendingMessage
type RemoteRun = Run & { withdraw?(key: string): void }

const sources = new WeakMap<QueuedMessage, Source>()
const queued = new WeakMap<Source, QueuedMessage>()

/**
 * Returns the messages that were sent while a run works and that wait for a later turn, and actions on them.
 *
 * @example
 * const { waiting, withdraw } = useQueue(run)
 * return waiting.map((message) => <button key={message.id} onClick={() => withdraw(message)}>Withdraw</button>)
 */
export function useQueue(run: Run | undefined): Queue {
  const waiting = useRun(run, waitingIn, isSame)
  return useMemo(() => {
    const replace = async (message: QueuedMessage, content: UserContent, now = false): Promise<void> => {
      const source = sources.get(message)
      if (!source) return
      if ('seq' in source) return run?.say(content, { replaces: source.seq, now })
      const { key, replaces } = source
      const seq = seqOf(run, key)
      if (seq !== undefined) return run?.say(content, { replaces: seq, now })
      if (now) return run?.say(content, { key, ...(replaces !== undefined && { replaces }) })
      withdrawSending(run, key)
      if (content !== '') await run?.say(content)
    }
    return {
      waiting,
      edit: (message, content) => replace(message, content),
      withdraw: (message) => replace(message, ''),
      sendNow: (message) => replace(message, message.content, true),
    }
  }, [run, waiting])
}

/** Returns the `seq` of a message that was `sending`, once the host has it. */
const seqOf = (run: Run | undefined, key: string): number | undefined =>
  run?.log.findLast((event) => event.type === 'said' && event.key === key)?.seq

/** Returns a key that a message keeps when it is not `sending` any more. */
export function stableKeyOf(run: Run | undefined, message: QueuedMessage): string {
  const source = sources.get(message)
  const said = source && 'seq' in source ? run?.log[source.seq] : source
  return (said && 'key' in said && said.key) || message.id
}

/** Withdraws a message that is `sending`: its `say` rejects. */
export const withdrawSending = (run: RemoteRun | undefined, key: string): void => run?.withdraw?.(key)

/**
 * Returns the messages in the log, except the one that the run works on and those of the streaming turn, and the
 * messages that are being sent.
 */
function waitingIn({ pending, draft, request, sending = [] }: RunState): readonly QueuedMessage[] {
  const replaced = new Set(sending.map(({ replaces }) => replaces))
  const isWaiting = ({ by, seq }: RunState['pending'][number]): boolean =>
    by === 'user' && seq !== request.seq && seq >= (draft?.readUntil ?? 0) && !replaced.has(seq)
  const onTheWay = sending.filter(({ waits, content }) => waits && content !== '')
  return [...pending.filter(isWaiting), ...onTheWay].map(queuedOf)
}

function queuedOf(source: Source): QueuedMessage {
  const known = queued.get(source)
  if (known) return known
  const { at, content } = source
  const made: QueuedMessage =
    'seq' in source
      ? { id: `said/${source.seq}`, at, content, state: 'sent' }
      : { id: `sending/${source.key}`, at, content, state: 'sending' }
  queued.set(source, made)
  sources.set(made, source)
  return made
}

const isSame = (a: readonly QueuedMessage[], b: readonly QueuedMessage[]): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index])
