import type { Ask, Run } from '@interleave/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAsks } from '../selections.ts'
import { AskDialog } from './AskDialog.tsx'
import type { AskComponents } from './AskForm.tsx'
import { useNews } from './announcements.tsx'
import { isTyping, useShortcut } from './keyboard.ts'
import { FailureAlert, ImportedNote } from './Notices.tsx'

export interface SignalOutletProps {
  readonly run: Run | undefined
  /** Own components by kind of question. */
  readonly components?: AskComponents
  /** Shows or hides the questions, if the app controls that. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** The keys that open the question that waits, from anywhere in the page; `Control+.` by default. */
  readonly shortcut?: string | false
  /** Shows why a run failed, and that it was opened from a file. True by default; set `false` if your app shows it. */
  readonly failures?: boolean
  readonly className?: string
}

const builtInOnly: AskComponents = {}

/**
 * Shows what a run asks, one question at a time, in a modal dialog. Escape puts the questions off: a button says how many
 * wait, and shows them again with what was typed so far. If the run fails, it shows why, what to do and a button that retries.
 * If the run was opened from a file, a button continues it.
 *
 * @example
 * const { run, say } = useReAct(planner)
 * return <SignalOutlet run={run} />
 */
export function SignalOutlet({
  run,
  components = builtInOnly,
  open,
  onOpenChange,
  shortcut = 'Control+.',
  failures = true,
  className,
}: SignalOutletProps): ReactNode {
  const asks = useAsks(run)
  const [isOpen, setOpen] = useOpen(asks, { open, onOpenChange })
  const [news, onReply] = useNews(asks, { run, isOpen, shortcut })
  useShortcut(shortcut, asks.length > 0 && !isOpen ? () => setOpen(true) : undefined)
  return (
    <div data-interleave="outlet" className={className}>
      <div data-interleave="waiting">
        {asks.length > 0 && (
          <button
            type="button"
            aria-keyshortcuts={shortcut || undefined}
            data-keys={shortcut ? shortcut.replace('Control', 'Ctrl') : undefined}
            onClick={() => setOpen(true)}
          >
            {asks.length === 1 ? '1 question waiting' : `${asks.length} questions waiting`}
          </button>
        )}
      </div>
      <p role="status" data-interleave="news">
        {news}
      </p>
      {failures && <FailureAlert run={run} />}
      {failures && <ImportedNote run={run} />}
      <AskDialog
        run={run}
        asks={asks}
        components={components}
        isOpen={isOpen}
        onLater={() => setOpen(false)}
        onReply={onReply}
      />
    </div>
  )
}

interface OpenOptions {
  readonly open?: boolean | undefined
  readonly onOpenChange?: ((open: boolean) => void) | undefined
}

/** Controls whether questions are shown. A new one opens by itself, unless the user is typing. */
function useOpen(
  asks: readonly Ask[],
  { open, onOpenChange }: OpenOptions,
): readonly [boolean, (open: boolean) => void] {
  const [own, setOwn] = useState(false)
  const before = useRef<readonly Ask[]>([])
  const isOpen = asks.length > 0 && (open ?? own)

  const setOpen = (next: boolean): void => {
    setOwn(next)
    onOpenChange?.(next)
  }
  useEffect(() => {
    const isNew = asks.some((ask) => !before.current.includes(ask))
    const wasShown = before.current.length > 0
    before.current = asks
    if (isNew && !isTyping()) setOpen(true)
    else if (wasShown && asks.length === 0) setOpen(false)
  })
  return [isOpen, setOpen]
}
