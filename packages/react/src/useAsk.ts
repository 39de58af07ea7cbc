import type { Ask, ReplyTo, Run } from '@interleave/core'
import { useCallback, useRef, useState } from 'react'
import { useAsks } from './selections.ts'

/** Everything that a surface for questions needs, and none of its looks. Comparing `kind` narrows `ask` and `reply`. */
export type Asked<A extends Ask = Ask> = AskedOf<A> | NothingAsked

interface Queue extends Pick<Replying, 'error' | 'complain' | 'isSending'> {
  /** Puts the question off: the next one is shown, if there is one. */
  readonly later: () => void
  /** Shows what was put off. */
  readonly back: () => void
  /** The number of open questions, including postponed ones. */
  readonly open: number
}
type AskedOf<A extends Ask> = A extends Ask
  ? Queue & {
      readonly kind: A['kind']
      readonly ask: A
      /** Its place among the open questions, from 1. */
      readonly position: number
      /** Sends the reply. Never rejects: `error` then says what is wrong, and the question stays open. Resolves whether it was taken. */
      readonly reply: (value: ReplyTo<A>) => Promise<boolean>
    }
  : never
interface NothingAsked extends Queue {
  readonly kind: undefined
  readonly ask: undefined
  readonly position: 0
  readonly reply: (value: never) => Promise<boolean>
}

/**
 * The question of a run that is to be shown: the oldest that was not put off, or the given one while it is open.
 *
 * @example
 * const asked = useAsk(run)
 * if (asked.kind === 'confirm') return <button onClick={() => asked.reply(true)}>{asked.ask.yes}</button>
 */
export function useAsk<A extends Ask = Ask>(run: Run | undefined, only?: A): Asked<A> {
  const asks = useAsks(run)
  const [putOff, setPutOff] = useState<readonly Ask[]>([])
  // By the question itself: its id may be asked again, and repeats from run to run.
  const ask = asks.find((open) => !putOff.includes(open) && (!only || only.id === open.id))
  const replying = useReply(run, ask)

  const later = useCallback(() => {
    if (ask) setPutOff((others) => [...others, ask])
  }, [ask])
  const back = useCallback(() => setPutOff([]), [])
  const position = ask ? asks.indexOf(ask) + 1 : 0
  // The question says of which kind it is, and the run checks the reply.
  return { ...replying, kind: ask?.kind, ask, position, open: asks.length, later, back } as Asked<A>
}

/** The state of sending a reply: whether it is being sent, and its error. */
interface Replying {
  /** Sends the reply. Never rejects; resolves whether it was taken. */
  readonly reply: (value: unknown) => Promise<boolean>
  /** The error of the reply, for the user. */
  readonly error: string | undefined
  /** Shows what is wrong before anything is sent. */
  readonly complain: (message: string) => void
  readonly isSending: boolean
}

interface Progress {
  readonly of: Ask | undefined
  readonly error?: string | undefined
  readonly isSending: boolean
}

/** Sends replies to one question after another. What is said of one is not said of the next, be it the same one asked again. */
export function useReply(run: Run | undefined, ask: Ask | undefined): Replying {
  const [progress, setProgress] = useState<Progress>({ of: ask, isSending: false })
  const { error, isSending } = progress.of === ask ? progress : { error: undefined, isSending: false }
  // A form that is sent twice in one go is one reply.
  const underWay = useRef<Ask>(undefined)
  const complain = useCallback((message: string) => setProgress({ of: ask, error: message, isSending: false }), [ask])
  const reply = useCallback(
    async (value: unknown): Promise<boolean> => {
      if (!run || !ask || underWay.current === ask) return false
      const end = (message?: string): void =>
        setProgress((now) => (now.of === ask ? { of: ask, error: message, isSending: false } : now))
      setProgress({ of: ask, isSending: true })
      underWay.current = ask
      try {
        await run.reply(ask.id, value)
        end()
        return true
      } catch (problem) {
        end(problem instanceof Error ? problem.message : String(problem))
        return false
      } finally {
        if (underWay.current === ask) underWay.current = undefined
      }
    },
    [run, ask],
  )
  return { reply, error, complain, isSending }
}
