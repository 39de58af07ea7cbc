import { chatTransport } from '@interleave/core/ai-sdk'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
import { goOn, guide } from './guide.ts'

/** What a test may do to the world of the page. */
export interface Page {
  /** Lets whatever waits go on: a model in the middle of its words, or a tool. */
  readonly goOn: () => void
}

const id = window.frameElement?.id ?? 'chat'
const transport = chatTransport(guide, { journal: indexedDbJournal({ name: 'chats' }) })
const messages = await transport.messages(id)
Object.assign(window, { goOn } satisfies Page)
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <StrictMode>
    <Chat id={id} transport={transport} messages={messages} />
  </StrictMode>,
)
