import { type ReactNode, useState } from 'react'
import type { ShownMessage } from './messagesAt.ts'
import { PartList } from './PartList.tsx'
import { counted } from './wording.ts'

const most = 30

/** The messages of a prompt, the latest of many. */
export function MessageList({ messages }: { messages: readonly ShownMessage[] }): ReactNode {
  const [showsAll, showAll] = useState(false)
  const hidden = showsAll ? 0 : Math.max(0, messages.length - most)
  return (
    <>
      {hidden > 0 && (
        <button type="button" data-part="button" onClick={() => showAll(true)}>
          {counted(hidden, 'earlier message')}
        </button>
      )}
      <ol data-part="messages">
        {messages.slice(hidden).map(({ role, parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages never change their places.
          <li key={hidden + index} data-role={role}>
            <span data-part="role">{role}</span>
            <PartList parts={parts} otherwise="Nothing" />
          </li>
        ))}
      </ol>
    </>
  )
}
