import { type RefObject, useRef } from 'react'
import { useDrawEffect } from '../effects.ts'

export interface ModalOptions {
  readonly isOpen: boolean
  /** Identifies the dialog's content. When it changes, the first field gets the focus. */
  readonly content: string | undefined
  /** Called when the browser closes it, which it may do by itself. */
  readonly onClosed: () => void
}

/** Opens a native dialog as a modal, focuses its first field, and restores the focus when it closes. */
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
      restoreFocus(opener.current)
      refocus()
    }
  }, [isOpen, content])

  useDrawEffect(() => {
    const dialog = ref.current
    const listen = (): void => {
      // The event is late: the dialog may be open again.
      if (isOpen && !dialog?.open) onClosed()
    }
    dialog?.addEventListener('close', listen)
    return () => dialog?.removeEventListener('close', listen)
  }, [isOpen, onClosed])

  // Removing an open dialog would lose the focus.
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

/** Browsers restore the focus themselves, unless the focused element is gone. */
function restoreFocus(opener: Element | undefined): void {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

/** Restores the focus if the focused element of the dialog was removed, since Chromium then ignores typing. */
function refocus(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}

function focusFirst(dialog: HTMLDialogElement): void {
  const first =
    dialog.querySelector<HTMLElement>('[data-interleave-focus]') ??
    dialog.querySelector<HTMLElement>('form :is(input, select, textarea, button)')
  // The buttons are always in view, and scrolling to them would hide the beginning of the question.
  first?.focus({ preventScroll: first.closest('[data-interleave="actions"]') !== null })
}
