import { Columns2, Download, Ellipsis, FlaskConical } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import type { Conversation } from '../run/PlaygroundState.ts'
import { runLink } from '../run/runLink.ts'
import { useExport } from '../run/useExport.ts'

const CompareDialog = lazy(async () => ({ default: (await import('../compare/CompareDialog.tsx')).CompareDialog }))
const GoldenDialog = lazy(async () => ({ default: (await import('../golden/GoldenDialog.tsx')).GoldenDialog }))

/** What can be done with the run as a whole. Escape closes it, and so does going elsewhere. */
export function RunMenu({ conversation }: { conversation: Conversation }) {
  const { id } = conversation.run
  const [isOpen, setOpen] = useState(false)
  const [dialog, openDialog] = useState<'compare' | 'golden'>()
  const exporting = useExport()
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()

  const choose = (chosen: 'compare' | 'golden'): void => {
    setOpen(false)
    openDialog(chosen)
  }
  const close = (): void => {
    openDialog(undefined)
    button.current?.focus()
  }
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  const closeOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the buttons in it.
    <div className="run-menu" onKeyDown={closeOnEscape} onBlur={closeOnLeave}>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label="More about this run"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden />
      </button>
      <div id={list} className="run-menu-list" hidden={!isOpen}>
        <CopyButton label="Copy link" text={() => location.href.replace(/#.*$/, '') + runLink(id)} />
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => choose('compare')}>
          <Columns2 aria-hidden /> Compare with …
        </button>
        <button type="button" className="button" onClick={() => void exporting.save(id)}>
          <Download aria-hidden /> Export as a file
        </button>
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => choose('golden')}>
          <FlaskConical aria-hidden /> Export as a golden test
        </button>
        {exporting.trouble && <p role="alert">{exporting.trouble}</p>}
      </div>
      <Suspense>
        {dialog === 'compare' && <CompareDialog runId={id} onClose={close} />}
        {dialog === 'golden' && <GoldenDialog conversation={conversation} onClose={close} />}
      </Suspense>
    </div>
  )
}
