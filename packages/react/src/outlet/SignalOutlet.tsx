import type { Ask, Run } from '@interleave/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDrawEffect } from '../effects.ts'
import { Button } from '../parts.tsx'
import { useAsks } from '../selections.ts'
import { Narration, NewsRegion } from '../voice/Announcer.tsx'
import { News } from '../voice/News.ts'
import { useSay } from '../words/words.tsx'
import { AskDialog } from './AskDialog.tsx'
import type { AskComponents } from './AskForm.tsx'
import { useAnnouncement } from './announcements.tsx'
import { BusyNote } from './BusyNote.tsx'
import { isTyping, useShortcut } from './keyboard.ts'
import { FailureAlert, ImportedNote } from './Notices.tsx'
import { isFirst, useIsFirst } from './outlets.ts'
import type { Shown } from './useModal.ts'

export interface SignalOutletProps<Of extends Run = Run> {
  /** The run whose questions to show; nothing without one. */
  readonly run: Of | undefined
  /** Your own components by kind of question. */
  readonly components?: AskComponents<Of>
  /** Shows or hides the questions, if the app controls that. By default, a new question opens unless the user is typing. */
  readonly open?: boolean | undefined
  readonly onOpenChange?: ((open: boolean) => void) | undefined
  /** The keys that open a waiting question from anywhere in the page; `Control+.` by default, `false` for none. */
  readonly shortcut?: string | false
  /** Shows why a run failed, and that it was opened from a file. True by default; set `false` if your app shows it. */
  readonly failures?: boolean
  /** Shows questions as a card in place of the outlet, next to a page that stays usable, instead of in a modal dialog. */
  readonly docked?: boolean
  /** Says to screen readers what the agent does. True by default; set `false` if your app has its own `Announcer`. */
  readonly announce?: boolean
  readonly className?: string
}

const builtInOnly: AskComponents = {}

/**
 * Shows a run's questions, one at a time, in a modal dialog, or with `docked` as a card of the page. Escape postpones
 * them: a button shows how many wait, and reopens them with what the user has typed. If the run fails, the outlet shows
 * why, what to do and a retry button. If the run was opened from a file, a button continues it. Render it outside of
 * your forms: forms cannot be nested. If several outlets have the same run, the one that was mounted first shows it.
 *
 * @example
 * const { run, say } = useReAct(planner)
 * return <SignalOutlet run={run} />
 */
export function SignalOutlet<Of extends Run = Run>({
  run: given,
  components = builtInOnly as AskComponents<Of>,
  open,
  onOpenChange,
  shortcut = 'Control+.',
  failures = true,
  docked = false,
  announce = true,
  className,
}: SignalOutletProps<Of>): ReactNode {
  const say = useSay()
  const [outlet] = useState(() => ({}))
  const run = useIsFirst(outlet, given, failures) ? given : undefined
  const asks = useAsks(run)
  const { setOpen, ...shown } = useOpen(asks, { open, onOpenChange, docked, mayOpen: () => isFirst(outlet, run) })
  const { isOpen, isQuiet } = shown
  const isModal = isOpen && !docked
  const [announced, onReply] = useAnnouncement(asks, { run, isOpen: isOpen && !isQuiet, isModal, shortcut })
  const [news] = useState(() => new News())
  // Before the effects that add news.
  useDrawEffect(() => {
    news.isInModal = isModal
  }, [news, isModal])
  useShortcut(shortcut, asks.length > 0 && (docked || !isOpen) ? () => setOpen(true) : undefined)
  return (
    <div data-interleave="outlet" className={className}>
      <div data-interleave="waiting">
        {asks.length > 0 && (
          <Button
            aria-keyshortcuts={shortcut || undefined}
            data-keys={shortcut ? shortcut.replace('Control', 'Ctrl') : undefined}
            onClick={() => setOpen(true)}
          >
            {say('questionsWaiting', { count: asks.length })}
          </Button>
        )}
      </div>
      <p role="status" data-interleave="news">
        {!announced.isInModal && announced.text}
      </p>
      <NewsRegion news={news} />
      {announce && <Narration run={run} news={news} />}
      {failures && <FailureAlert run={run} />}
      {failures && <BusyNote run={run} />}
      {failures && <ImportedNote run={run} />}
      <AskDialog
        run={run}
        asks={asks}
        components={components as AskComponents}
        shown={{ ...shown, isDocked: docked }}
        news={news}
        announcement={isModal ? (announced.isInModal ? announced.text : '') : undefined}
        onLater={() => setOpen(false)}
        onReply={onReply}
      />
    </div>
  )
}

interface Opening extends Pick<SignalOutletProps, 'open' | 'onOpenChange' | 'docked'> {
  /** Called in an effect, when all outlets that mounted together are known. */
  readonly mayOpen: () => boolean
}

interface Opened extends Pick<Shown, 'isOpen' | 'isQuiet' | 'openings'> {
  readonly setOpen: (open: boolean) => void
}

/** Controls whether questions are shown. A new one opens by itself, unless it would cover the page while the user is typing. */
function useOpen(asks: readonly Ask[], { open, onOpenChange, docked, mayOpen }: Opening): Opened {
  const [own, setOwn] = useState({ isOpen: false, isQuiet: false, openings: 0 })
  const before = useRef<readonly Ask[]>([])
  const show = (isOpen: boolean, isQuiet: boolean, isByUser = false): void => {
    setOwn(({ openings }) => ({ isOpen, isQuiet, openings: isOpen && isByUser ? openings + 1 : openings }))
    onOpenChange?.(isOpen)
  }
  const isOpen = asks.length > 0 && (open ?? own.isOpen)
  useEffect(() => {
    const isBehind = isOpen && asks[0] === before.current[0]
    const isNew = !isBehind && asks.some((ask) => !before.current.includes(ask))
    const wasShown = before.current.length > 0
    before.current = asks
    if (isNew && mayOpen() && (docked || !isTyping())) show(true, isTyping() && !isIn('[data-interleave="dialog"]'))
    else if (wasShown && asks.length === 0) show(false, false)
  })
  return { ...own, isOpen, setOpen: (isOpen) => show(isOpen, false, true) }
}

const isIn = (selector: string): boolean => Boolean(document.activeElement?.closest(selector))
