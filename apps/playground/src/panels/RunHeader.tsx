import { plainText } from '@interleave/react/untrusted'
import { FlaskConical, GitFork, History } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../parts/focus.ts'
import { runLink } from '../run/address.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import { useRunLog } from '../run/useRunLog.ts'
import { RunMenu } from './RunMenu.tsx'
import './runHeader.css'
import { own } from '../parts/objects.ts'

/** The name and the origin of a run, and the actions on the whole of it. */
export function RunHeader({ conversation }: { conversation: Conversation }) {
  const { travel, openDialog } = usePlayground()
  const name = usePage(({ marks }) => own(marks, conversation.run.id)?.name)
  const title = plainText(name ?? conversation.title).slice(0, 500) || 'Untitled'
  const isPast = conversation.past !== undefined
  const button = useFocusAfter(isPast)
  const now = (): void => travel(conversation.log.events.at(-1)?.seq)
  return (
    <header className="run-header">
      <div>
        <h2 title={title} dir="auto">
          {title}
        </h2>
        <Origin conversation={conversation} />
      </div>
      <button
        ref={button}
        type="button"
        className="button"
        aria-pressed={isPast}
        title="See the run as it was (T)"
        onClick={isPast ? () => travel(undefined) : now}
      >
        <History aria-hidden /> <span>Time travel</span>
      </button>
      <button
        type="button"
        className="button"
        aria-haspopup="dialog"
        title="Make a test of this run, and replay it"
        onClick={() => openDialog('test')}
      >
        <FlaskConical aria-hidden /> <span>Test</span>
      </button>
      <RunMenu conversation={conversation.past?.live ?? conversation} />
    </header>
  )
}

/** Returns a ref of the button that receives the focus when the bar of the past, which had it, disappears. */
function useFocusAfter(isPast: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isPast) return
    const opened = button.current
    return () => {
      if (isFocusLost()) opened?.focus()
    }
  }, [isPast])
  return button
}

/** Shows the run that it was forked from, and the last event that they share. */
function Origin({ conversation }: { conversation: Conversation }) {
  const [started] = useEvents(conversation)
  const origin = started?.type === 'started' ? started.forkedFrom : undefined
  return origin ? <OriginLink runId={origin.runId} seq={origin.seq} /> : null
}

function OriginLink({ runId, seq }: { runId: string; seq: number }) {
  const found = useRunLog(runId)
  return (
    <p className="run-origin">
      <GitFork aria-hidden /> <span className="visually-hidden">Fork of</span>{' '}
      {found.type === 'none' ? (
        'a run that is no longer here'
      ) : (
        <a href={runLink(runId, { event: seq })}>
          {found.type === 'found' ? <bdi>“{plainText(found.title)}”</bdi> : 'another run'}
        </a>
      )}
      <span>, after event {seq}</span>
    </p>
  )
}
