import type { Run } from '@interleave/core'
import { useStatus } from '@interleave/react'
import { ArrowUp, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId } from 'react'
import { agents } from '../agents/index.ts'
import { draftOf } from '../run/drafts.ts'
import { fetchAhead } from '../run/fetchAhead.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import './composer.css'

/** Where the user writes. It stays open while the run works: what is sent then steers it. */
export function Composer({ run }: { run: Run | undefined }) {
  const { send, draft } = usePlayground()
  const text = usePage(({ drafts, shown }) => draftOf(drafts, shown))
  const { status, signal } = useStatus(run)
  const isUnderWay = status === 'working' || signal?.type === 'inputNeeded'
  const hint = useId()

  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault()
    if (!text.trim()) return
    void send(text.trim())
  }
  const submitOnEnter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }

  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        id="composer"
        aria-label="Message"
        aria-describedby={hint}
        rows={1}
        value={text}
        placeholder={placeholder(run, isUnderWay)}
        onChange={(event) => draft(event.target.value)}
        onFocus={fetchAhead}
        onKeyDown={submitOnEnter}
      />
      <div className="composer-bar">
        {run ? null : <OfferSelect />}
        <span id={hint} className="composer-hint" data-quiet={!isUnderWay}>
          {isUnderWay ? 'What you send now is heard at the next turn.' : 'Enter sends, Shift+Enter starts a new line.'}
        </span>
        {isUnderWay && (
          <button type="button" className="button" onClick={() => void run?.stop('You stopped it.')}>
            <Square aria-hidden /> Stop
          </button>
        )}
        <button type="submit" className="button primary" disabled={!text.trim()}>
          <ArrowUp aria-hidden /> {isUnderWay ? 'Steer' : 'Send'}
        </button>
      </div>
    </form>
  )
}

function placeholder(run: Run | undefined, isUnderWay: boolean): string {
  if (!run) return 'Ask an agent something'
  return isUnderWay ? 'Steer the agent while it works' : 'Say what comes next'
}

function OfferSelect() {
  const { chooseOffer } = usePlayground()
  const chosen = usePage((page) => page.offer)
  return (
    <select
      aria-label="Agent"
      value={chosen.id}
      onChange={({ target }) => {
        const offer = agents.find(({ id }) => id === target.value)
        if (offer) chooseOffer(offer)
      }}
    >
      {agents.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}
