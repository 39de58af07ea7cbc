import { type RefObject, useRef } from 'react'
import { useDrawEffect } from '../effects.ts'

export interface ModalOptions {
  readonly isOpen: boolean
  /** Identifies the dialog's content. When it changes, the first field gets the focus. */
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

/** Returns the focused element outside the outlet. Elements of the outlet may be gone when the focus returns. */
function outside(dialog: HTMLDialogElement): Element | undefined {
  const active = document.activeElement
  return active && active !== document.body && !dialog.parentElement?.contains(active) ? active : undefined
}

/** The browser gives the focus back by itself, unless what had it is gone. */
function giveBack(opener: Element | undefined): void {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

/** Restores the focus if the focused element of the dialog was removed, since Chromium then ignores typing. */
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
