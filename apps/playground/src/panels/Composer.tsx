import { FilePicker, MessageQueue, useFiles, useStatus } from '@interleave/react'
import { ArrowUp, Bot, Cloud, CornerDownLeft, Square, Workflow } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { agents } from '../agents/index.ts'
import { UnclearAnswer } from '../answer/UnclearAnswer.tsx'
import { useTypedAnswer } from '../answer/useTypedAnswer.ts'
import { type Connection, labelOf } from '../models/index.ts'
import { AgentOptions } from '../parts/AgentOptions.tsx'
import { useOnline } from '../remote/useServer.ts'
import { acceptedBy } from '../run/acceptedBy.ts'
import { draftOf } from '../run/drafts.ts'
import { fetchAhead } from '../run/fetchAhead.ts'
import type { OpenRun } from '../run/openRun.ts'
import { stoppedByUser } from '../run/stoppedByUser.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'
import { RunIn } from './RunIn.tsx'
import './composer.css'

/** The message box. It stays open while the run works: a message that is sent then steers it. */
export function Composer({ run }: { run: OpenRun | undefined }) {
  const { send, draft } = usePlayground()
  const text = usePage(({ drafts, shown }) => draftOf(drafts, shown))
  const chosen = usePage((page) => page.connection)
  const next = usePage((page) => page.place)
  const shown = useShown()
  const isNew = usePage((page) => page.shown === undefined)
  const isThere = isServed(shown?.place ?? next)
  // The page does not know which files the server's models accept.
  const accepted = isThere ? undefined : acceptedBy(shown?.connection ?? chosen)
  const files = useFiles({ ...(accepted !== undefined && { accept: accepted }) })
  const { status, signal } = useStatus(run)
  const isUnderWay = status === 'working' || signal?.type === 'inputNeeded'
  const typed = useTypedAnswer(run)
  const doing = typed.ask ? doings.answering : isUnderWay ? doings.steering : doings.sending
  const hint = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isEmpty = !text.trim() && files.files.length === 0

  const submit = async (event: FormEvent | KeyboardEvent): Promise<void> => {
    event.preventDefault()
    if (isEmpty) return
    const said = text.trim()
    if (files.files.length === 0 && typed.take(said)) return
    // The page itself reports what could not be sent, and accepts further messages meanwhile.
    await files.send(said, async (content) => void send(said, content))
  }
  const submitOnEnter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void submit(event)
  }

  return (
    <>
      <MessageQueue run={run} focusAfter={field} />
      <form
        className="composer"
        data-state={signal ? signal.type : status}
        {...(accepted && files.dropProps)}
        onSubmit={(event) => void submit(event)}
      >
        <textarea
          ref={field}
          id="composer"
          aria-label="Message"
          aria-describedby={hint}
          rows={1}
          value={text}
          placeholder={placeholder(isNew, signal?.type ?? status)}
          onChange={(event) => {
            typed.onType()
            draft(event.target.value)
          }}
          onFocus={fetchAhead}
          onKeyDown={submitOnEnter}
        />
        {(accepted || files.files.length > 0) && <FilePicker files={files} />}
        <UnclearAnswer typed={typed} onChosen={() => field.current?.focus()} />
        <div className="composer-bar">
          {isNew && <OfferSelect />}
          <RunIn />
          <ModelButton />
          <span id={hint} className="composer-hint" data-quiet={!isUnderWay}>
            {doing.hint}
          </span>
          {isUnderWay && (
            <button type="button" className="button" onClick={() => void run?.stop(stoppedByUser)}>
              <Square aria-hidden /> Stop
            </button>
          )}
          <button type="submit" className="button primary" disabled={isEmpty}>
            {isUnderWay ? <CornerDownLeft aria-hidden /> : <ArrowUp aria-hidden />} {doing.verb}
          </button>
        </div>
      </form>
    </>
  )
}

/** The effect that a text has, in words. */
const doings = {
  answering: { verb: 'Answer', hint: 'This answers the question above.' },
  steering: { verb: 'Steer', hint: 'The agent reads this at its next turn.' },
  sending: { verb: 'Send', hint: 'Enter sends, Shift+Enter: new line.' },
} as const

/** Returns the effect that a message would have now. */
function placeholder(isNew: boolean, doing: string): string {
  if (isNew) return 'Ask an agent something'
  switch (doing) {
    case 'working':
      return 'Steer the agent while it works'
    case 'inputNeeded':
      return 'Type your answer'
    case 'limitReached':
      return 'A limit is reached. Answer the question, or write something else'
    case 'failed':
    case 'stopped':
      return 'Reply to continue'
    default:
      return 'Write the next message'
  }
}

/** Shows the model of the run, and leads to another one. */
function ModelButton() {
  const { openDialog } = usePlayground()
  const chosen = usePage((page) => page.connection)
  const next = usePage((page) => page.place)
  const shown = useShown()
  const isThere = isServed(shown?.place ?? next)
  const connection = shown?.connection ?? chosen
  const isOnline = useOnline()
  const Icon = isThere ? Cloud : connection.type === 'demo' ? Workflow : Bot
  return (
    <button type="button" className="model-button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
      <Icon aria-hidden />
      <span className="visually-hidden">Model: </span>
      <span className="model-name">{isThere ? 'Server’s model' : nameOf(connection)}</span>
      {connection.type === 'demo' && !isThere && <span className="model-rules">rules, no AI</span>}
      {shown?.lacksKey && !isThere && <span className="badge">needs its key</span>}
      {!isOnline && <span className="model-offline">offline</span>}
    </button>
  )
}

const nameOf = (connection: Connection): string => (connection.type === 'demo' ? 'Demo planner' : labelOf(connection))

/** Chooses the agent of the next run. */
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
      <AgentOptions />
    </select>
  )
}
