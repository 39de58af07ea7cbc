import type { Ask, Json, Run, RunState } from '@interleave/core'
import { useRun } from '@interleave/react'
import { useRef, useState } from 'react'
import { errorWords } from '../parts/errorWords.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { type Offered, offeredReplies, typedReply } from './typedReply.ts'

/** A text that was typed while a question waits, and may be something else than its answer. */
export interface Unclear {
  readonly ask: Ask
  readonly text: string
  readonly offered: readonly Offered[]
  /** The reason why it could not be sent as the answer. */
  readonly problem?: string
}

export interface TypedAnswer {
  /** The open question that a typed text answers. */
  readonly ask: Ask | undefined
  readonly unclear: Unclear | undefined
  /** Notes that the user types, and for which question. */
  readonly onType: () => void
  /** Sends a text as the answer, or asks what it is. Returns false if it is a message of its own. */
  readonly take: (text: string) => boolean
  readonly reply: (text: string, reply: Json) => void
  readonly sendAsMessage: (text: string) => void
}

/** Takes what is typed while a question waits for its answer. Nothing that fits none is sent before the user has said what it is. */
export function useTypedAnswer(run: Run | undefined): TypedAnswer {
  const { send, draft } = usePlayground()
  const ask = useRun(run, firstAsk)
  const [unclear, setUnclear] = useState<Unclear>()
  // Another question may have come while the user typed.
  const typedFor = useRef<string>(undefined)
  const reply = (text: string, value: Json): void => {
    if (!run || !ask) return
    setUnclear(undefined)
    draft('')
    run.reply(ask.id, value).catch((error: unknown) => {
      draft(text)
      setUnclear({ ask, text, offered: [], problem: errorWords(error) })
    })
  }
  return {
    ask,
    unclear: unclear && unclear.ask.id === ask?.id ? unclear : undefined,
    onType: () => {
      typedFor.current = ask?.id
      setUnclear(undefined)
    },
    take: (text) => {
      if (!ask) return false
      const value = typedReply(ask, text)
      if (value === undefined && ask.kind === 'extension') return false
      if (value !== undefined && typedFor.current === ask.id) reply(text, value)
      else if (value === undefined) setUnclear({ ask, text, offered: offeredReplies(ask, text) })
      else setUnclear({ ask, text, offered: [{ label: 'Answer with this', reply: value }] })
      return true
    },
    reply,
    sendAsMessage: (text) => {
      setUnclear(undefined)
      void send(text, text, { now: true })
    },
  }
}

const firstAsk = ({ asks }: RunState): Ask | undefined => asks[0]
