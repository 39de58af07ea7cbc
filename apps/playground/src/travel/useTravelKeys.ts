import type { Event } from '@interleave/core'
import { useEffect, useEffectEvent } from 'react'
import { usePage } from '../run/usePlayground.ts'
import { landmarks } from './landmarks.ts'

const ways: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 }

export interface TravelKeys {
  step(step: Step): void
  toggle(): void
  leave(): void
}

/** Handles the keys while the past is shown: j and k or the arrows step by events, with Shift by turns; Space plays, Escape returns to now. */
export function useTravelKeys({ step, toggle, leave }: TravelKeys): void {
  const hasLetterKeys = usePage(({ settings }) => settings.hasLetterKeys)
  const act = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return
    if (!hasLetterKeys && /^[a-z]$/i.test(key)) return
    const way = ways[key.length === 1 ? key.toLowerCase() : key]
    if (way) step({ by: event.shiftKey ? 'turn' : 'event', way })
    else if (key === ' ' && !isIn(target, 'button, a, summary')) toggle()
    else if (key === 'Escape') leave()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', act)
    return () => document.removeEventListener('keydown', act)
  }, [])
}

/** Dialogs and fields receive all keys themselves; lists and tabs receive the arrows. */
const isTaken = ({ key, target }: KeyboardEvent): boolean =>
  document.querySelector('dialog:modal') !== null ||
  isIn(target, 'input:not([type="range"]), textarea, select, [contenteditable]') ||
  (key.startsWith('Arrow') && isIn(target, '[role="tab"], [role="separator"], [role="grid"], [role="listbox"], ol, ul'))

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

export interface Step {
  readonly by: 'event' | 'turn'
  readonly way: 1 | -1
}

/** Returns the position in a log that is one event or one turn away from another, limited to its ends. */
export function stepTo(events: readonly Event[], at: number, { by, way }: Step): number {
  const last = events.length - 1
  if (by === 'event') return Math.min(last, Math.max(0, at + way))
  const turns = landmarks(events).flatMap(({ kind, seq }) => (kind === 'turn' ? [seq] : []))
  const next = way === 1 ? turns.find((seq) => seq > at) : turns.findLast((seq) => seq < at)
  return next ?? (way === 1 ? last : 0)
}
