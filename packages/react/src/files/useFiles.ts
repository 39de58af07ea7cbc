import type { GivenContent } from '@interleave/core'
import { type ClipboardEvent, type DragEvent, useMemo, useRef, useState } from 'react'
import { useLatest } from '../effects.ts'
import { reportProblem, useFailureWords } from '../failureWords.ts'
import { unreadableFile } from '../outlet/readField.ts'
import { type Say, useSay, useWords } from '../words/words.tsx'

export interface UseFilesOptions {
  /** The accepted types, as the `accept` of an `<input>`, such as `image/*,.pdf`. All by default. */
  readonly accept?: string
  /** The largest file, in bytes; 10,000,000 by default, which a server accepts by default. */
  readonly maxBytes?: number
  /** The maximum number of files in one message; 10 by default. */
  readonly maxFiles?: number
}

/** Files that go with the next message. */
export interface Files {
  readonly files: readonly File[]
  readonly accept: string | undefined
  /** Why a file was rejected, or why a message was not sent; for the user. */
  readonly problem: string | undefined
  /** True while files are dragged over the element with `dropProps`. */
  readonly isDropping: boolean
  readonly add: (files: Iterable<File>) => void
  readonly remove: (file: File) => void
  /**
   * Sends a message with the files. They leave the list at once, and return if they cannot be read or sent: then it
   * resolves to false, and `problem` says why.
   */
  readonly send: (text: string, say: (content: GivenContent) => PromiseLike<unknown>) => Promise<boolean>
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
export function useFiles({ accept, maxBytes = 10_000_000, maxFiles = 10 }: UseFilesOptions = {}): Files {
  const [files, setFiles] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string>()
  const [isDropping, setDropping] = useState(false)
  const isSending = useRef(false)
  const say = useSay()
  const { locale } = useWords()
  const wordsOf = useFailureWords()
  const latest = useLatest({ files, limits: { accept, maxBytes, maxFiles }, say, locale, wordsOf })
  const actions = useMemo((): Pick<Files, 'add' | 'remove' | 'send' | 'dropProps'> => {
    const add: Files['add'] = (chosen) => {
      const { files: before, limits, ...words } = latest.current
      const room = limits.maxFiles - before.length
      const all = [...chosen]
      const fitting = all.filter((file) => refusalOf(file, limits, words) === undefined)
      const [refused] = all.filter((file) => !fitting.includes(file))
      const surplus = fitting.length > room ? tooMany(limits, words) : undefined
      setProblem(refused ? refusalOf(refused, limits, words) : surplus)
      setFiles((others) => [...others, ...fitting].slice(0, limits.maxFiles))
    }
    return {
      add,
      remove: (file) => setFiles((others) => others.filter((other) => other !== file)),
      async send(text, say) {
        if (isSending.current) return false
        isSending.current = true
        const { files: sent } = latest.current
        setProblem(undefined)
        setFiles([])
        try {
          await say(await contentOf(text, sent, latest.current.say))
          return true
        } catch (error) {
          const { files: added, limits, ...words } = latest.current
          const isFull = sent.length + added.length > limits.maxFiles
          reportProblem(error)
          setProblem([words.wordsOf(error), ...(isFull ? [tooMany(limits, words)] : [])].join(' '))
          setFiles((others) => [...sent, ...others].slice(0, limits.maxFiles))
          return false
        } finally {
          isSending.current = false
        }
      },
      dropProps: dropProps(add, setDropping),
    }
  }, [latest])
  return { files, accept, problem, isDropping, ...actions }
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

interface InWords {
  readonly say: Say
  readonly locale: string
}

const tooMany = ({ maxFiles }: { readonly maxFiles: number }, { say }: InWords): string =>
  say('tooManyFiles', { count: maxFiles })

/** Returns why a file is rejected. */
function refusalOf(
  { name, type, size }: File,
  { accept, maxBytes }: { readonly accept: string | undefined; readonly maxBytes: number },
  { say, locale }: InWords,
): string | undefined {
  if (size > maxBytes) {
    const size = (maxBytes / 1e6).toLocaleString(locale, { style: 'unit', unit: 'megabyte' })
    return say('fileTooLarge', { name, size })
  }
  if (size === 0) return say('fileEmpty', { name })
  const kinds = accept?.split(',').map((kind) => kind.trim().toLowerCase())
  const fits = (kind: string): boolean => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
  }
  return !kinds || kinds.some(fits) ? undefined : say('fileOfOtherType', { name, types: accept ?? '' })
}

async function contentOf(text: string, files: readonly File[], say: Say): Promise<GivenContent> {
  if (files.length === 0) return text
  const parts = await Promise.all(files.map((file) => toPart(file, say)))
  return text.trim() ? [{ type: 'text', text }, ...parts] : parts
}

async function toPart(file: File, say: Say) {
  const { name: filename, type } = file
  try {
    const data = await file.arrayBuffer()
    return { type: 'file', filename, mediaType: type || 'application/octet-stream', data } as const
  } catch (error) {
    throw unreadableFile(file, say, error)
  }
}
