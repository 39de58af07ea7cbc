import './timeBar.css'
import type { Event } from '@interleave/core'
import { useStatus } from '@interleave/react'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, GitFork, Pause, Play, Undo2 } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Announcer } from '../panels/Announcer.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { isFocusLost } from '../parts/focus.ts'
import { stateWord } from '../parts/wording.ts'
import { runLink } from '../run/address.ts'
import type { Conversation, Past } from '../run/PlaygroundState.ts'
import { useEvents, usePlayground } from '../run/usePlayground.ts'
import { type LandmarkKind, marked, placeWords } from './landmarks.ts'
import { type Playback, speeds, usePlayback } from './usePlayback.ts'
import { type Step, stepTo, useTravelKeys } from './useTravelKeys.ts'

/** Steps through the log of a run: the whole page shows the run as it was then. Replaces the message box. */
export function TimeBar({ conversation, past }: { conversation: Conversation; past: Past }) {
  const { travel, openFork } = usePlayground()
  const events = useEvents(past.live)
  const { at } = past
  const playback = usePlayback(events, at)
  const slider = useRef<HTMLInputElement>(null)
  const go = (to: number): void => {
    playback.pause()
    travel(to)
  }
  const step = (by: Step): void => go(stepTo(events, at, by))
  const leave = (): void => travel(undefined)
  useTravelKeys({ step, toggle: playback.toggle, leave })

  // The button that opened this was removed, so the focus is lost.
  useEffect(() => {
    if (isFocusLost()) slider.current?.focus({ preventScroll: true })
  }, [])

  return (
    <section className="time-bar" aria-label="Time travel">
      <div className="time-words">
        <p>
          <strong>This is the past.</strong> {placeWords(events, at)} <Now run={past.live.run} />
        </p>
        {!playback.isPlaying && <Announcer words={placeWords(events, at)} />}
        <button type="button" className="button primary" onClick={leave}>
          <Undo2 aria-hidden /> Back to now
        </button>
      </div>
      <div className="time-track">
        <LandmarkStrip events={events} />
        <input
          ref={slider}
          id="time-travel"
          type="range"
          aria-label="Place in the log"
          aria-valuetext={placeWords(events, at)}
          min={0}
          max={events.length - 1}
          value={at}
          onChange={({ target }) => go(target.valueAsNumber)}
        />
      </div>
      <div className="time-controls">
        <StepButtons step={step} playback={playback} />
        <SpeedSelect playback={playback} />
        <span className="time-space">
          {playback.isPlaying && <span className="badge replay">Replay: no model is asked</span>}
        </span>
        <CopyButton label="Copy link" text={() => location.href.split('#')[0] + runLink(conversation.run.id, { at })} />
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openFork(at)}>
          <GitFork aria-hidden /> Fork from here
        </button>
      </div>
    </section>
  )
}

/** The activity of the replay, in words. */
function Now({ run }: { run: Conversation['run'] }) {
  const word = stateWord(useStatus(run))
  if (word !== 'working' && word !== 'needs you') return null
  return <span className="time-now">{word === 'working' ? 'Now it works.' : 'Now it needs you.'}</span>
}

function StepButtons({ step, playback }: { step: (step: Step) => void; playback: Playback }) {
  const Icon = playback.isPlaying ? Pause : Play
  return (
    <fieldset className="time-steps" aria-label="Steps">
      <StepButton label="Turn before (Shift+K)" onClick={() => step({ by: 'turn', way: -1 })} Icon={ChevronsLeft} />
      <StepButton label="Event before (K)" onClick={() => step({ by: 'event', way: -1 })} Icon={ChevronLeft} />
      <StepButton
        label={playback.isPlaying ? 'Pause the replay (Space)' : 'Replay (Space)'}
        onClick={playback.toggle}
        Icon={Icon}
      />
      <StepButton label="Next event (J)" onClick={() => step({ by: 'event', way: 1 })} Icon={ChevronRight} />
      <StepButton label="Next turn (Shift+J)" onClick={() => step({ by: 'turn', way: 1 })} Icon={ChevronsRight} />
    </fieldset>
  )
}

interface StepButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly Icon: typeof Play
}

const StepButton = ({ label, onClick, Icon }: StepButtonProps) => (
  <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
    <Icon aria-hidden />
  </button>
)

const SpeedSelect = ({ playback: { speed, setSpeed } }: { playback: Playback }) => (
  <select
    aria-label="Speed of the replay"
    value={speed}
    onChange={({ target }) => setSpeed(speeds.find((each) => String(each) === target.value) ?? 1)}
  >
    {speeds.map((each) => (
      <option key={each} value={each}>
        {each}×
      </option>
    ))}
  </select>
)

/** The number of distinguishable positions. */
const places = 300
/** The landmarks from the least to the most important one, which is drawn if several fall on one place. */
const ranks: readonly LandmarkKind[] = ['call', 'turn', 'settled', 'message', 'ask']

/** The positions of turns, calls, questions and pauses in a log. Height and shape distinguish them, not color alone. */
const LandmarkStrip = memo(function LandmarkStrip({ events }: { events: readonly Event[] }) {
  const last = Math.max(1, events.length - 1)
  const drawn = new Map<number, LandmarkKind>()
  const { landmarks, stride } = marked(events)
  for (const { seq, kind } of landmarks) {
    const place = Math.round((places * seq) / last)
    const before = drawn.get(place)
    if (!before || ranks.indexOf(kind) > ranks.indexOf(before)) drawn.set(place, kind)
  }
  return (
    <div className="landmarks" aria-hidden title={stride > 1 ? `A line every ${stride} turns` : undefined}>
      {[...drawn].map(([place, kind]) => (
        <span key={place} data-kind={kind} style={{ left: `${(100 * place) / places}%` }} />
      ))}
    </div>
  )
})
