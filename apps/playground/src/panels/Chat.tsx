import { ArrowDown } from 'lucide-react'
import { type ReactNode, Suspense, type UIEvent, useRef, useState } from 'react'
import { guided } from '../firstMinute/guided.ts'
import { later } from '../parts/later.tsx'
import { own } from '../parts/objects.ts'
import { RenderBoundary } from '../parts/RenderBoundary.tsx'
import { linkedPlace, type Conversation as Shown, shownMove } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { laterDialog, notOpened } from '../shell/notOpened.tsx'
import { useMedia } from '../shell/useMedia.ts'
import { isServed } from '../workers/Place.ts'
import { Composer } from './Composer.tsx'
import { DiagnosisCard } from './DiagnosisCard.tsx'
import { NotOpen } from './NotOpen.tsx'
import { StatusLine } from './StatusLine.tsx'
import { Trouble } from './Trouble.tsx'
import { Welcome } from './Welcome.tsx'
import './chat.css'

// The Markdown view is fetched when the user is about to start a run.
const Conversation = later(async () => (await import('./Conversation.tsx')).Conversation)
const RunHeader = later(async () => (await import('./RunHeader.tsx')).RunHeader)
const ServerLine = later(async () => (await import('../remote/ServerLine.tsx')).ServerLine)
const ServerAhead = later(async () => (await import('../remote/ServerLine.tsx')).ServerAhead)
const Questions = later(async () => (await import('./RunQuestions.tsx')).Questions)
const PermissionsOfRun = later(async () => (await import('./RunQuestions.tsx')).PermissionsOfRun)
const FirstMinute = later(async () => (await import('../firstMinute/FirstMinute.tsx')).FirstMinute)
const FoundNotice = later(async () => (await import('./FoundNotice.tsx')).FoundNotice)
const KillReceipt = later(async () => (await import('../kill/KillReceipt.tsx')).KillReceipt)
const TimeBar = later(async () => (await import('../travel/TimeBar.tsx')).TimeBar)
const ForkDialog = later(
  async () => (await import('../travel/ForkDialog.tsx')).ForkDialog,
  notOpened(({ forkingAt }) => forkingAt !== undefined),
)
const CompareDialog = laterDialog('compare', async () => (await import('../compare/CompareDialog.tsx')).CompareDialog)
const TestDialog = laterDialog('test', async () => (await import('../golden/TestDialog.tsx')).TestDialog)
const Comparison = later(async () => (await import('../compare/Comparison.tsx')).Comparison)

/** The middle of the page: the conversation and the box to write in, or two runs side by side. */
export function Chat() {
  const compared = usePage((page) => page.compared)
  return (
    <main className="pane chat" data-pane="chat">
      {compared ? (
        <Suspense fallback={<p className="thinking chat-content">Loading</p>}>
          <RenderBoundary key={`${compared.a} ${compared.b}`} name="This comparison">
            <Comparison {...compared} />
          </RenderBoundary>
        </Suspense>
      ) : (
        <OneRun />
      )}
    </main>
  )
}

function OneRun() {
  const conversation = useShown()
  const shown = usePage((page) => page.shown)
  const startingWith = usePage((page) => page.startingWith)
  // The foot of a narrow page would leave two lines of the conversation.
  const isNarrow = useMedia('(width < 48rem)')
  return (
    <>
      {conversation && (
        <Suspense fallback={<div className="run-header-place" />}>
          <RunHeader conversation={conversation} />
        </Suspense>
      )}
      <Scroller isFollowing={conversation !== undefined}>
        {conversation ? (
          <>
            <RenderBoundary key={conversation.run.id} name="This conversation">
              <Suspense fallback={<Starting words={conversation.title} />}>
                <Conversation conversation={conversation} />
              </Suspense>
            </RenderBoundary>
            <NoSuchEvent conversation={conversation} />
            {isNarrow && <News conversation={conversation} />}
          </>
        ) : startingWith !== undefined ? (
          <Starting words={startingWith} />
        ) : shown === undefined ? (
          <>
            <Trouble />
            <Welcome />
          </>
        ) : (
          <NotOpen runId={shown} />
        )}
        {shown !== undefined && <Trouble />}
      </Scroller>
      <Foot conversation={conversation} isNew={shown === undefined} hasNews={!isNarrow} />
      {conversation && <Dialogs conversation={conversation} />}
    </>
  )
}

/** The user's message, at once: what the run needs is still being fetched. */
const Starting = ({ words }: { words: string }) => <p className="starting">{words}</p>

interface FootProps {
  readonly conversation: Shown | undefined
  readonly isNew: boolean
  readonly hasNews: boolean
}

/** In the past, the user cannot send or answer anything. */
function Foot({ conversation, isNew, hasNews }: FootProps) {
  const past = conversation?.past
  const next = usePage((page) => page.place)
  const linked = usePage(linkedPlace)
  // The focus stays in the box, and a message waits for the run.
  const isMoving = usePage((page) => shownMove(page) !== undefined)
  const live = isMoving ? undefined : conversation
  return (
    <div className="chat-foot">
      <Suspense>{live && <Questions conversation={live} />}</Suspense>
      {hasNews && conversation && <News conversation={conversation} />}
      <Suspense fallback={<div className="server-line-place" />}>
        {linked && !past && <ServerLine place={linked} />}
        {isNew && !conversation && isServed(next) && <ServerAhead place={next} />}
      </Suspense>
      <Suspense>{live && !past && <PermissionsOfRun conversation={live} />}</Suspense>
      <StatusLine conversation={conversation} />
      {conversation && past ? (
        <Suspense fallback={<div className="time-bar-place" />}>
          <TimeBar key={conversation.run.id} conversation={conversation} past={past} />
        </Suspense>
      ) : (
        (conversation || isNew || isMoving) && <Composer run={live?.run} />
      )}
    </div>
  )
}

/** Shows the notices of a run: what the page found of it, the result of a kill, and the steps of the guided run. */
function News({ conversation }: { conversation: Shown }) {
  const isKilled = usePage(({ marks }) => own(marks, conversation.run.id)?.kill !== undefined)
  if (conversation.past) return null
  return (
    <Suspense>
      <FoundNotice conversation={conversation} />
      {isKilled && <KillReceipt conversation={conversation} />}
      {conversation.title === guided.prompt && <FirstMinute conversation={conversation} />}
    </Suspense>
  )
}

/** The questions about the run as a whole. */
function Dialogs({ conversation }: { conversation: Shown }) {
  const { openDialog } = usePlayground()
  const at = usePage(({ forkingAt }) => forkingAt)
  const dialog = usePage((page) => page.dialog)
  const close = (): void => openDialog(undefined)
  return (
    <Suspense>
      {at !== undefined && <ForkDialog key={at} conversation={conversation} at={at} />}
      {dialog === 'compare' && <CompareDialog runId={conversation.run.id} onClose={close} />}
      {dialog === 'test' && <TestDialog conversation={conversation.past?.live ?? conversation} onClose={close} />}
    </Suspense>
  )
}

/** The distance from the end at which the user is reading earlier messages. */
const awayPx = 160

interface ScrollerProps {
  /** True if it stays at the end while that grows, until the user scrolls up. */
  readonly isFollowing: boolean
  readonly children: ReactNode
}

/** The scrolling middle of the page. A button leads back to the end. */
function Scroller({ isFollowing, children }: ScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAway, setAway] = useState(false)
  // In a reversed scroller the end is 0, and what was before is below it.
  const update = ({ currentTarget }: UIEvent<HTMLElement>): void => setAway(-currentTarget.scrollTop > awayPx)
  return (
    <div className="chat-reader">
      <div ref={scroller} className="chat-scroller" data-follow={isFollowing} onScroll={update}>
        <div className="chat-content">{children}</div>
      </div>
      {isFollowing && isAway && (
        <button type="button" className="button to-latest" onClick={() => scroller.current?.scrollTo({ top: 0 })}>
          <ArrowDown aria-hidden /> Jump to latest
        </button>
      )}
    </div>
  )
}

/** The note that a link names an event which the run does not have. */
function NoSuchEvent({ conversation }: { conversation: Shown }) {
  const { show } = usePlayground()
  const events = useEvents(conversation.past?.live ?? conversation)
  const asked = usePage(({ travelledTo, selectedEvent }) => travelledTo ?? selectedEvent)
  if (asked === undefined || asked < events.length) return null
  const diagnosis = {
    title: `This run has no event ${asked}`,
    explanation: `Its log goes from event 0 to event ${events.length - 1}. The link may be of another run, or of a later time.`,
    steps: ['Look at the run as it is.', 'Or ask the sender of the link for the file of the run.'],
  }
  return (
    <div role="alert" className="no-such-event">
      <DiagnosisCard diagnosis={diagnosis}>
        <button type="button" className="button" onClick={() => void show(conversation.run.id)}>
          Show the run as it is
        </button>
      </DiagnosisCard>
    </div>
  )
}
