import { useStatus } from '@interleave/react'
import type { Message } from '../run/messages.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import './suggestions.css'

/** Offers things to ask where an agent has answered without doing anything. */
export function Suggestions({ conversation, messages }: { conversation: Conversation; messages: readonly Message[] }) {
  const { offer, run, past } = conversation
  const { send } = usePlayground()
  const { signal } = useStatus(run)
  if (past || signal?.type !== 'answer' || !isIdle(messages)) return null
  return (
    <section className="suggestions" aria-label="Things to ask">
      <p>You could ask:</p>
      {offer.prompts.slice(0, 3).map((prompt) => (
        <button key={prompt} type="button" className="button" onClick={() => void send(prompt)}>
          {prompt}
        </button>
      ))}
    </section>
  )
}

/** Returns true if the rules of the demo planner answered the latest message, and no tool was used for it. */
export function isIdle(messages: readonly Message[]): boolean {
  const since = messages.slice(messages.findLastIndex(({ type }) => type === 'user') + 1)
  const isOnlyText = since.every(({ type }) => type === 'text' || type === 'thought')
  return isOnlyText && since.some((message) => message.type === 'text' && message.isRules)
}
