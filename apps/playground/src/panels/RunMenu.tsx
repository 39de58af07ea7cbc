import { Columns2, Download, Ellipsis } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { SecondTab } from '../firstMinute/SecondTab.tsx'
import { KillButton } from '../kill/KillButton.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { runLink } from '../run/address.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** The actions on the whole run. Escape closes the menu, and so does a focus elsewhere. */
export function RunMenu({ conversation }: { conversation: Conversation }) {
  const { openDialog } = usePlayground()
  const { id } = conversation.run
  const [isOpen, setOpen] = useState(false)
  const exporting = useExport()
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()

  // The dialog restores the focus to an element that must still exist then.
  const choose = (chosen: 'compare'): void => {
    button.current?.focus()
    setOpen(false)
    openDialog(chosen)
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
        <SecondTab runId={id} />
        <KillButton conversation={conversation} />
        <CopyButton label="Copy link" text={() => location.href.split('#')[0] + runLink(id)} />
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => choose('compare')}>
          <Columns2 aria-hidden /> Compare with …
        </button>
        <button type="button" className="button" onClick={() => void exporting.save(id)}>
          <Download aria-hidden /> Export as a file
        </button>
        {exporting.trouble && <p role="alert">{exporting.trouble}</p>}
      </div>
    </div>
  )
}
