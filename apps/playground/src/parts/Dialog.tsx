import { refocus } from '@interleave/react/internal'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** For what needs room. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A modal in the browser's own top layer: Escape closes it and restores the focus. */
export function Dialog({ title, isOpen, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === isOpen) return
    if (isOpen) openAt(element)
    else element.close()
  }, [isOpen])
  // Its content is removed by then.
  useEffect(() => (isOpen ? refocus : undefined), [isOpen])

  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-wide={isWide}
      aria-labelledby={heading}
      // The `close` event of a nested dialog arrives here too.
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <header>
        <h2 id={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </button>
      </header>
      {isOpen && children}
    </dialog>
  )
}

/** Focuses the element that the content marks, or else the title, since a user does not open a dialog to close it. */
function openAt(dialog: HTMLDialogElement): void {
  dialog.showModal()
  const header = dialog.querySelector('header')
  if (header?.contains(document.activeElement)) header.querySelector('h2')?.focus()
}
