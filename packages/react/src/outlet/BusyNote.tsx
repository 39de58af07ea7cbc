import type { Run, RunState } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { type ReactNode, useEffect, useState } from 'react'
import { useRun } from '../useRun.ts'
import { useSay } from '../words/words.tsx'

interface BusyNoteProps {
  readonly run: Run | undefined
  readonly as?: 'div' | 'li'
}

/** A pause before the model is called again. */
interface Pause {
  readonly isBusy: boolean
  /** Its begin and end, in milliseconds since the epoch. */
  readonly from: number
  readonly until: number
}

/** Shorter pauses are over before anybody has read of them. */
const shortest = 1_500

/**
 * Shows that a model did not answer, and when it is asked again, or that the journal takes no events, and when they are
 * written again. Renders nothing while all is well.
 */
export function BusyNote({ run, as: Element = 'div' }: BusyNoteProps): ReactNode {
  const say = useSay()
  const pause = usePause(run)
  const saving = useRun(run, savingOf)
  const isOver = useRun(run, isSettled)
  const left = useSecondsLeft(isOver ? undefined : pause)
  if (saving && saving.inMs >= shortest)
    return (
      <Element role={Element === 'li' ? undefined : 'status'} data-interleave="busy">
        {say('notSaved', { count: Math.ceil(saving.inMs / 1_000) })}
      </Element>
    )
  if (!pause || left === undefined) return null
  return (
    <Element role={Element === 'li' ? undefined : 'status'} data-interleave="busy">
      {pause.isBusy && left > 0 ? say('busy', { count: left }) : say('tryingAgain')}
    </Element>
  )
}

const savingOf = ({ saving }: RunState): RunState['saving'] => saving
const isSettled = ({ signal }: RunState): boolean => signal !== undefined

/** Returns the pause that the run makes now: until the model is called again, and sends something. */
function usePause(run: Run | undefined): Pause | undefined {
  const [pause, setPause] = useState<Pause & { readonly of: Run }>()
  useEffect(
    () =>
      run?.subscribe((event) => {
        if (event.type === 'retrying') {
          const { inMs, error } = event
          const isBusy = error.status === 429 || error.status === 503 || error.status === 529
          const from = Date.now()
          setPause(inMs < shortest ? undefined : { of: run, isBusy, from, until: from + inMs })
        } else if (endsPause(event)) setPause(undefined)
      }),
    [run],
  )
  return pause?.of === run ? pause : undefined
}

const endsPause = ({ type }: AnyEvent): boolean =>
  type === 'delta' || type === 'thinking' || type === 'thought' || type === 'settled'

/** Returns the seconds until the end of a pause; undefined without one. Renders once a second. */
function useSecondsLeft(pause: Pause | undefined): number | undefined {
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (!pause) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [pause])
  return pause && Math.max(0, Math.ceil((pause.until - Math.max(now, pause.from)) / 1_000))
}
