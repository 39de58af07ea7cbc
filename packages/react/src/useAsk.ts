import type { Ask, Failure, ReplyTo, Run } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { useCallback, useRef, useState } from 'react'
import { useAsks } from './selections.ts'

/** Everything that a user interface for questions needs. Comparing `kind` narrows `ask` and `reply`. */
export type CurrentAsk<A extends Ask = Ask> = OpenAsk<A> | NoAsk

interface Queue extends Pick<Replying, 'error' | 'showProblem' | 'isSending'> {
  /** Postpones the question, and shows the next one if there is one. */
  readonly later: () => void
  /** Shows the postponed questions again. */
  readonly back: () => void
  /** The number of open questions, including postponed ones. */
  readonly open: number
}
type OpenAsk<A extends Ask> = A extends Ask
  ? Queue & {
      readonly kind: A['kind']
      readonly ask: A
      /** Its position among the open questions, from 1. */
      readonly position: number
      /** Sends the reply. Resolves to false if it was rejected: `error` then says why, and the question stays open. */
      readonly reply: (value: ReplyTo<A>) => Promise<boolean>
    }
  : never
interface NoAsk extends Queue {
  readonly kind: undefined
  readonly ask: undefined
  readonly position: 0
  readonly reply: (value: never) => Promise<boolean>
}

/**
 * Returns the question of a run to show, and how to reply: the oldest that was not postponed, or the given one while it
 * is open.
 *
 * @example
 * const asked = useAsk(run)
 * if (asked.kind === 'confirm') return <button onClick={() => asked.reply(true)}>{asked.ask.yes}</button>
 */
export function useAsk<A extends Ask = Ask>(run: Run | undefined, only?: A): CurrentAsk<A> {
  const asks = useAsks(run)
  const [postponed, setPostponed] = useState<readonly Ask[]>([])
  // Compared by object, since an id may be asked again, and repeats from run to run.
  const ask = asks.find((open) => !postponed.includes(open) && (!only || only.id === open.id))
  const replying = useReply(run, ask)
  const later = useCallback(() => {
    if (ask) setPostponed((others) => [...others, ask])
  }, [ask])
  const back = useCallback(() => setPostponed([]), [])
  const position = ask ? asks.indexOf(ask) + 1 : 0
  // `kind` is that of the question, and the run validates the reply.
  return { ...replying, kind: ask?.kind, ask, position, open: asks.length, later, back } as CurrentAsk<A>
}

interface Replying {
  /** Sends the reply. Never rejects; resolves to true if the run accepted it. */
  readonly reply: (value: unknown) => Promise<boolean>
  /** Why the reply was rejected. `userMessageOf(error)` is for the user. */
  readonly error: Failure | undefined
  /** Shows an error without sending anything. */
  readonly showProblem: (message: string) => void
  readonly isSending: boolean
}

interface Progress {
  readonly of: Ask | undefined
  readonly error?: Failure | undefined
  readonly isSending: boolean
}

/** Sends replies to a question. The error of one question is not shown for the next, even if it is the same one again. */
export function useReply(run: Run | undefined, ask: Ask | undefined): Replying {
  const [progress, setProgress] = useState<Progress>({ of: ask, isSending: false })
  const { error, isSending } = progress.of === ask ? progress : { error: undefined, isSending: false }
  // A form that is submitted twice in the same tick is one reply.
  const sending = useRef<Ask>(undefined)
  const showProblem = useCallback(
    (message: string) =>
      setProgress({ of: ask, error: { code: 'reply_invalid', message, retryable: true }, isSending: false }),
    [ask],
  )
  const reply = useCallback(
    async (value: unknown): Promise<boolean> => {
      if (!run || !ask || sending.current === ask) return false
      const end = (error?: Failure): void =>
        setProgress((now) => (now.of === ask ? { of: ask, error, isSending: false } : now))
      setProgress({ of: ask, isSending: true })
      sending.current = ask
      try {
        await run.reply(ask.id, value)
        end()
        return true
      } catch (problem) {
        // An exception of the app's code, such as a schema, has no words for users.
        end(toFailure(problem, 'step_failed'))
        return false
      } finally {
        if (sending.current === ask) sending.current = undefined
      }
    },
    [run, ask],
  )
  return { reply, error, showProblem, isSending }
}
