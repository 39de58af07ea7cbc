import type { Ask, Json, Run, RunState } from '@interleave/core'
import { type QueuedMessage, useQueue, useRun } from '@interleave/react'
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
  /** The message, if it was sent before the question came. */
  readonly queued?: QueuedMessage
}

export interface TypedAnswer {
  /** The open question that a typed text answers. */
  readonly ask: Ask | undefined
  readonly unclear: Unclear | undefined
  /** Notes that the user types, and for which question. */
  readonly onType: () => void
  /** Sends a text as the answer, or asks what it is. Returns false if it is a message of its own. */
  readonly take: (text: string) => boolean
  readonly reply: (unclear: Unclear, reply: Json) => void
  readonly sendAsMessage: (unclear: Unclear) => void
}

/** Takes what is typed while a question waits for its answer. Nothing that fits none is sent before the user has said what it is. */
export function useTypedAnswer(run: Run | undefined): TypedAnswer {
  const { send, draft } = usePlayground()
  const ask = useRun(run, firstAsk)
  const queue = useQueue(run)
  const [unclear, setUnclear] = useState<Unclear>()
  // Another question may have come while the user typed.
  const typedFor = useRef<string>(undefined)
  const reply = ({ ask: asked, text, queued }: Unclear, value: Json): void => {
    if (!run) return
    setUnclear(undefined)
    if (!queued) draft('')
    const replying = queued ? queue.withdraw(queued) : Promise.resolve()
    replying
      .then(() => run.reply(asked.id, value))
      .catch((error: unknown) => {
        draft(text)
        setUnclear({ ask: asked, text, offered: [], problem: errorWords(error) })
      })
  }
  return {
    ask,
    unclear: unclear && unclear.ask.id === ask?.id ? unclear : unclearIn(queue.waiting, ask),
    onType: () => {
      typedFor.current = ask?.id
      setUnclear(undefined)
    },
    take: (text) => {
      if (!ask) return false
      const value = typedReply(ask, text)
      if (value === undefined && ask.kind === 'extension') return false
      const asked = unclearOf(ask, text)
      if (value !== undefined && typedFor.current === ask.id) reply(asked, value)
      else setUnclear(asked)
      return true
    },
    reply,
    sendAsMessage: ({ text, queued }) => {
      setUnclear(undefined)
      // The queue itself shows a message that could not be sent.
      if (queued) queue.sendNow(queued).catch(() => {})
      else void send(text, text, { now: true })
    },
  }
}

function unclearOf(ask: Ask, text: string): Unclear {
  const reply = typedReply(ask, text)
  return {
    ask,
    text,
    offered: reply === undefined ? offeredReplies(ask, text) : [{ label: 'Answer with this', reply }],
  }
}

/** A message that was sent before the question came may be its answer. */
function unclearIn(waiting: readonly QueuedMessage[], ask: Ask | undefined): Unclear | undefined {
  if (!ask || ask.kind === 'extension') return undefined
  for (const queued of waiting)
    if (typeof queued.content === 'string') return { ...unclearOf(ask, queued.content), queued }
  return undefined
}

const firstAsk = ({ asks }: RunState): Ask | undefined => asks[0]
