import { useEffect, useEffectEvent } from 'react'
import { usePage } from '../run/usePlayground.ts'
import type { Step } from './stepTo.ts'

const ways: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 }

export interface TravelKeys {
  step(step: Step): void
  toggle(): void
  leave(): void
}

/** While the past is shown: j and k or the arrows go by events, with Shift by turns; Space plays, Escape leads back to now. */
export function useTravelKeys({ step, toggle, leave }: TravelKeys): void {
  const hasLetterKeys = usePage(({ settings }) => settings.hasLetterKeys)
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return
    if (!hasLetterKeys && /^[a-z]$/i.test(event.key)) return
    const way = ways[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (way) step({ by: event.shiftKey ? 'turn' : 'event', way })
    else if (event.key === ' ' && !isButton(event.target)) toggle()
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', act)
    return () => document.removeEventListener('keydown', act)
  }, [])
}

/** What has keys of its own: fields, tabs, trees, and whatever stands in a dialog. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null || (target instanceof Element && target.closest(busy) !== null)
const busy =
  'input:not([type="range"]), textarea, select, [contenteditable], [role="tab"], [role="separator"], [role="tree"], [role="grid"], [role="listbox"], [role="menu"], .events'

const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, summary') !== null
