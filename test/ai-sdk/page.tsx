import { chatTransport } from '@interleave/ai-sdk'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
import { guide, proceed } from './guide.ts'

/** The actions of a test on the page. */
export interface World {
  /** Lets whatever waits go on: a model in the middle of its words, or a tool. */
  proceed(): void
  /** Returns true if the journal has an event of this type. */
  kept(type: string): Promise<boolean>
}

const id = location.hash.slice(1)
const journal = indexedDbJournal()
const transport = chatTransport(guide, { journal })
const messages = await transport.messages(id)
const world: World = {
  proceed: proceed,
  kept: async (wanted) => (await journal.read(id)).some(({ type }) => type === wanted),
}
Object.assign(window, world)
createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <Chat id={id} transport={transport} messages={messages} />
  </StrictMode>,
)
