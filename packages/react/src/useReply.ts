import type { Ask, Run } from '@interleave/core'
import { useCallback, useRef, useState } from 'react'

/** The state of sending a reply: whether it is being sent, and its error. */
export interface Replying {
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
