import type { UserContent } from '@interleave/core'
import { type ClipboardEvent, type DragEvent, useMemo, useState } from 'react'
import { useLatest } from '../effects.ts'
import { useFailureWords } from '../failureWords.ts'
import { useSay, useWords } from '../words/words.tsx'
import { Attachments, nothing } from './attachments.ts'

export interface UseFilesOptions {
  /** The accepted types, as the `accept` of an `<input>`, such as `image/*,.pdf`. All by default. */
  readonly accept?: string
  /** The maximum size of all files of a message together; 10,000,000 bytes by default, which a server accepts by default. */
  readonly maxBytes?: number
  /** The maximum number of files in one message; 10 by default. */
  readonly maxFiles?: number
  /**
   * Shrinks photos (JPEG, PNG, WebP) with more than 2 MB or 4,096 pixels before they are sent; true by default. Animations
   * and all other files remain as they are.
   */
  readonly shrinksImages?: boolean
}

/** Files that go with the next message. */
export interface Files {
  readonly files: readonly File[]
  readonly accept: string | undefined
  /** Why a file was rejected, or why a message was not sent; for the user. */
  readonly problem: string | undefined
  /** True while photos are being shrunk. `send` waits for them. */
  readonly isPreparing: boolean
  /** True while files are dragged over the element with `dropProps`. */
  readonly isDropping: boolean
  readonly add: (files: Iterable<File>) => void
  readonly remove: (file: File) => void
  /**
   * Sends a message with the files. They leave the list at once, and return if they cannot be read or sent: then it
   * resolves to false, and `problem` says why. Without a text and a file nothing is sent, and it resolves to false too.
   */
  readonly send: (text: string, say: (content: UserContent) => PromiseLike<unknown>) => Promise<boolean>
  /** Lets users drop and paste files on an element, such as your form. */
  readonly dropProps: DropProps
}

interface DropProps {
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void
  readonly onDragLeave: (event: DragEvent<HTMLElement>) => void
  readonly onDrop: (event: DragEvent<HTMLElement>) => void
  readonly onPaste: (event: ClipboardEvent<HTMLElement>) => void
}

/**
 * Returns the files that a user drops, pastes or picks for the next message. `FilePicker` shows them.
 *
 * @example
 * const files = useFiles({ accept: 'image/*' })
 * return <form {...files.dropProps} onSubmit={() => files.send(text, say)}><FilePicker files={files} /></form>
 */
export function useFiles(options: UseFilesOptions = {}): Files {
  const { accept, maxBytes = 10_000_000, maxFiles = 10, shrinksImages = true } = options
  const [attached, show] = useState(nothing)
  const [isDropping, setDropping] = useState(false)
  const words = { say: useSay(), locale: useWords().locale, wordsOf: useFailureWords() }
  const rules = useLatest({ accept, maxBytes, maxFiles, shrinksImages, ...words })
  const [{ add, remove, send }] = useState(() => new Attachments(() => rules.current, show))
  const drop = useMemo(() => dropProps(add, setDropping), [add])
  return { ...attached, accept, isDropping, add, remove, send, dropProps: drop }
}

function dropProps(add: Files['add'], setDropping: (isDropping: boolean) => void): DropProps {
  return {
    onDragOver(event) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setDropping(true)
    },
    onDragLeave({ currentTarget, relatedTarget }) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDropping(false)
    },
    onDrop(event) {
      setDropping(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      add(event.dataTransfer.files)
    },
    onPaste(event) {
      const { files, types } = event.clipboardData
      // Office programs add a picture of the text to the text.
      if (files.length === 0 || types.includes('text/plain')) return
      event.preventDefault()
      add(files)
    },
  }
}
