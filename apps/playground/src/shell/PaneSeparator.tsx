import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import './paneSeparator.css'

export interface PaneSeparatorProps {
  /** The pane that becomes wider and narrower. */
  readonly pane: 'runs' | 'details'
}

/** The smallest, largest and default width of a pane, in pixels. */
const ranges = {
  runs: { setting: 'listWidth', label: 'Width of the list of runs', min: 208, max: 480, usual: 288, towards: 1 },
  details: {
    setting: 'detailsWidth',
    label: 'Width of the inside of the run',
    min: 304,
    max: 880,
    usual: 432,
    towards: -1,
  },
} as const

const stepWidth = 16

/** Between two panes: drag it, or move it by the arrow keys. A double click, or Enter, gives the usual width again. */
export function PaneSeparator({ pane }: PaneSeparatorProps) {
  const { choose } = usePlayground()
  const { setting, label, min, max, usual, towards } = ranges[pane]
  const width = usePage((page) => page.settings[setting] ?? usual)
  const begun = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const resize = (to: number | undefined): void =>
    choose({ [setting]: to === undefined ? undefined : Math.round(Math.min(max, Math.max(min, to))) })

  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: stepWidth, ArrowLeft: -stepWidth }[event.key]
    if (step !== undefined) resize(width + step * towards)
    else if (event.key === 'Home') resize(min)
    else if (event.key === 'End') resize(max)
    else if (event.key === 'Enter') resize(undefined)
    else return
    event.preventDefault()
  }
  const take = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    begun.current = { x: event.clientX, width }
  }
  const drag = ({ clientX }: PointerEvent): void => {
    if (begun.current) resize(begun.current.width + (clientX - begun.current.x) * towards)
  }
  const drop = (): void => {
    begun.current = undefined
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of a text cannot be moved.
    <div
      role="separator"
      tabIndex={0}
      className="pane-separator"
      data-of={pane}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={press}
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={() => resize(undefined)}
    />
  )
}
