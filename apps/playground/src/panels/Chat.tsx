import { SignalOutlet } from '@interleave/react'
import { usePage, useShown } from '../run/usePlayground.ts'
import { Composer } from './Composer.tsx'
import { Conversation } from './Conversation.tsx'
import { FoundNotice } from './FoundNotice.tsx'
import { NotOpen } from './NotOpen.tsx'
import { StatusLine } from './StatusLine.tsx'
import { Trouble } from './Trouble.tsx'
import { Welcome } from './Welcome.tsx'
import './chat.css'

/** The middle of the page: the conversation and the box to write in. */
export function Chat() {
  const conversation = useShown()
  const shown = usePage((page) => page.shown)
  return (
    <main className="pane chat" data-pane="chat">
      <div className="chat-scroller" data-follow={conversation !== undefined}>
        <div className="chat-content">
          {conversation ? (
            <Conversation key={conversation.run.id} conversation={conversation} />
          ) : shown === undefined ? (
            <Welcome />
          ) : (
            <NotOpen runId={shown} />
          )}
          <Trouble />
        </div>
      </div>
      <div className="chat-foot">
        <SignalOutlet key={conversation?.run.id} run={conversation?.run} />
        {conversation && <FoundNotice conversation={conversation} />}
        <StatusLine conversation={conversation} />
        {(conversation || shown === undefined) && <Composer run={conversation?.run} />}
      </div>
    </main>
  )
}
