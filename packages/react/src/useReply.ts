import type { Run } from '@interleave/core'
import { useCallback, useRef, useState } from 'react'

/** What is being sent as the reply to a question, and what was wrong with it. */
export interface Replying {
  /** Sends the reply. Never rejects; resolves whether it was taken. */
  readonly reply: (value: unknown) => Promise<boolean>
  /** What is wrong with the reply, for the person to read. */
  readonly error: string | undefined
  /** Shows what is wrong before anything is sent. */
  readonly complain: (message: string) => void
  readonly isSending: boolean
}

interface Progress {
  readonly of: string
  readonly error?: string | undefined
  readonly isSending: boolean
}

/** Sends replies to one question after another. What is said of one is not said of the next. */
export function useReply(run: Run | undefined, askId: string | undefined): Replying {
  // The ids of questions repeat from run to run.
  const of = `${run?.id}/${askId}`
  const [progress, setProgress] = useState<Progress>({ of, isSending: false })
  const { error, isSending } = progress.of === of ? progress : { error: undefined, isSending: false }
  // A form that is sent twice in one go is one reply.
  const underWay = useRef<string>(undefined)
  const complain = useCallback((message: string) => setProgress({ of, error: message, isSending: false }), [of])
  const reply = useCallback(
    async (value: unknown): Promise<boolean> => {
      if (!run || askId === undefined || underWay.current === of) return false
      const end = (message?: string): void =>
        setProgress((now) => (now.of === of ? { of, error: message, isSending: false } : now))
      setProgress({ of, isSending: true })
      underWay.current = of
      try {
        await run.reply(askId, value)
        end()
        return true
      } catch (problem) {
        end(problem instanceof Error ? problem.message : String(problem))
        return false
      } finally {
        if (underWay.current === of) underWay.current = undefined
      }
    },
    [run, askId, of],
  )
  return { reply, error, complain, isSending }
}
