import { type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { useDrawEffect } from '../effects.ts'
import { focused, isTextField, replaced } from './keyboard.ts'

export interface Shown {
  readonly isOpen: boolean
  /** True for a card of the page, which stays usable. */
  readonly isDocked: boolean
  /** True if the user is typing elsewhere, so the focus stays there. */
  readonly isQuiet: boolean
  /** The number of times that the user has opened the dialog. Each time focuses the first field. */
  readonly openings: number
}

export interface ModalOptions extends Shown {
  /** Identifies the dialog's content. When it changes, the first field gets the focus. */
  readonly content: string | undefined
  /** The content into which the user has typed text that is not sent. */
  readonly typed: RefObject<string | undefined>
  /** Called when the browser closes it, which it may do by itself. */
  readonly onClosed: () => void
}

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>
  /** Returns a character to the text field from which a card of the page has just taken the focus by itself. */
  readonly returnKey: (event: KeyboardEvent) => void
}

/** Milliseconds after new content appears in which clicks and keys still belong to the previous content. */
const openingMs = 400

/** Opens a native dialog, focuses its first field, and restores the focus when it closes. */
export function useModal(options: ModalOptions): Modal {
  const { isOpen, isDocked, isQuiet, openings, content, typed, onClosed } = options
  const ref = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(undefined)
  const wasDocked = useRef(isDocked)
  const opened = useRef(openings)
  const left = useRef<HTMLElement>(undefined)

  useDrawEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (isOpen && content !== undefined) {
      if (dialog.open && wasDocked.current !== isDocked) close(dialog)
      if (!dialog.open) {
        opener.current = outside(dialog) ?? opener.current
        open(dialog, isDocked)
      }
      wasDocked.current = isDocked
      left.current = !isQuiet && opened.current === openings ? textFieldOutside(dialog) : undefined
      opened.current = openings
      const isReplaced = typed.current !== undefined && typed.current !== content
      if (isReplaced) typed.current = undefined
      if (!isQuiet) focusFirst(dialog, isReplaced)
    } else if (dialog.open) {
      const hadFocus = wasDocked.current && dialog.contains(document.activeElement)
      close(dialog)
      restoreFocus(opener.current, hadFocus)
      refocus()
      typed.current = undefined
    }
  }, [isOpen, isDocked, isQuiet, openings, content, typed])

  useOpeningTime(ref, isOpen ? content : undefined)

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
    return () => {
      if (dialog) close(dialog)
    }
  }, [])

  return { ref, returnKey: (event) => returnKeyTo(left.current, event) }
}

// jsdom, in which many apps test, has dialogs without their methods.
function open(dialog: Partial<HTMLDialogElement>, isDocked: boolean): void {
  // `show()` would take the focus.
  if (isDocked || !dialog.showModal) dialog.open = true
  else dialog.showModal()
}

function close(dialog: Partial<HTMLDialogElement>): void {
  if (dialog.close) dialog.close()
  else dialog.open = false
}

function returnKeyTo(field: HTMLElement | undefined, event: KeyboardEvent): void {
  const { key, ctrlKey, altKey, metaKey } = event
  // AltGr is both Control and Alt.
  const isCharacter = key.length === 1 && !metaKey && (!ctrlKey || altKey)
  if (!field || !isCharacter || event.defaultPrevented || !event.currentTarget.hasAttribute(opening)) return
  field.focus({ preventScroll: true })
  // The key is not a shortcut of the page.
  event.stopPropagation()
}

const opening = 'data-opening'

function useOpeningTime(ref: RefObject<HTMLDialogElement | null>, content: string | undefined): void {
  useDrawEffect(() => {
    const dialog = ref.current
    if (!dialog || content === undefined) return undefined
    // An attribute, not a state, since nothing is rendered for it.
    dialog.setAttribute(opening, '')
    const timer = setTimeout(() => dialog.removeAttribute(opening), openingMs)
    return () => clearTimeout(timer)
  }, [ref, content])
}

/**
 * Returns true for a click on a button of a question that has just appeared. Enter in a field belongs to that field.
 */
export function isTooEarly({ currentTarget, target, detail, nativeEvent }: MouseEvent): boolean {
  if (!nativeEvent.isTrusted || !currentTarget.hasAttribute(opening)) return false
  const button = target instanceof Element && target.closest('[data-interleave="body"] button')
  return Boolean(button) && (detail > 0 || button === document.activeElement)
}

/** Returns the focused element outside the outlet. Elements of the outlet may be removed before the focus returns. */
function outside(dialog: HTMLDialogElement): Element | undefined {
  const active = document.activeElement
  return active && active !== document.body && !dialog.parentElement?.contains(active) ? active : undefined
}

function textFieldOutside(dialog: HTMLDialogElement): HTMLElement | undefined {
  const active = focused()
  return isTextField(active) && !dialog.contains(active) ? active : undefined
}

/**
 * Restores the focus if the focused element was removed. Otherwise browsers restore the focus of a modal themselves.
 */
function restoreFocus(opener: Element | undefined, hadFocus: boolean): void {
  const isLost = hadFocus || document.activeElement === document.body
  if (isLost && opener instanceof HTMLElement) opener.focus()
}

/** Focuses a field again: once the field of a closed dialog is removed, Chromium takes no letters in the focused one. */
export function refocus(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}

/**
 * Focuses the title, so that a reader says the question before a key decides; or a field to type into whose name is the
 * question. A question that replaced the one into which the user was typing always has the focus on its
 * title, where keys do nothing.
 */
function focusFirst(dialog: HTMLDialogElement, isReplaced: boolean): void {
  const title = dialog.querySelector<HTMLElement>('h2')
  title?.toggleAttribute(replaced, isReplaced)
  const field = title && dialog.querySelector<HTMLElement>(`form :is(input, textarea)[aria-labelledby="${title.id}"]`)
  const first = field && isTextField(field) && !isReplaced ? field : title
  first?.focus()
}
