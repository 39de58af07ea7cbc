import { type RefObject, useRef } from 'react'
import { useDrawEffect } from '../useDrawEffect.ts'

export interface ModalOptions {
  readonly isOpen: boolean
  /** What the dialog shows. When it changes, the focus goes to its first field. */
  readonly content: string | undefined
  /** The browser closed it, which it may do without asking. */
  readonly onClosed: () => void
}

/** A native dialog that opens modally, puts the focus on its first field, and gives it back when it closes. */
export function useModal({ isOpen, content, onClosed }: ModalOptions): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(undefined)

  useDrawEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (isOpen && content !== undefined) {
      if (!dialog.open) {
        opener.current = outside(dialog) ?? opener.current
        dialog.showModal()
      }
      focusFirst(dialog)
    } else if (dialog.open) {
      dialog.close()
      giveBack(opener.current)
      revive()
    }
  }, [isOpen, content])

  useDrawEffect(() => {
    const dialog = ref.current
    const hear = (): void => {
      // The event comes late: meanwhile the dialog may be open again.
      if (isOpen && !dialog?.open) onClosed()
    }
    dialog?.addEventListener('close', hear)
    return () => dialog?.removeEventListener('close', hear)
  }, [isOpen, onClosed])

  // A dialog that leaves the page while it is open would take the focus with it.
  useDrawEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return ref
}

/** What has the focus, unless it is part of the outlet: that may be gone when the focus is to go back. */
function outside(dialog: HTMLDialogElement): Element | undefined {
  const active = document.activeElement
  return active && active !== document.body && !dialog.parentElement?.contains(active) ? active : undefined
}

/** The browser gives the focus back by itself, unless what had it is gone. */
function giveBack(opener: Element | undefined): void {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

/** What had the focus in the dialog is removed, and Chromium then takes no letters in a field that has it now. */
function revive(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}

function focusFirst(dialog: HTMLDialogElement): void {
  const first =
    dialog.querySelector<HTMLElement>('[data-interleave-focus]') ??
    dialog.querySelector<HTMLElement>('form :is(input, select, textarea, button)')
  // The buttons stay in view, and to scroll to their place would hide how the question begins.
  first?.focus({ preventScroll: first.closest('[data-interleave="actions"]') !== null })
}
