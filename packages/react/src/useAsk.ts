import type { Ask, ReplyTo, Run } from '@interleave/core'
import { useCallback, useState } from 'react'
import { useAsks } from './useAsks.ts'
import { type Replying, useReply } from './useReply.ts'

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
