import { file, type UserContent } from '@interleave/core'
import { reportProblem } from '../failureWords.ts'
import { unreadableFile } from '../outlet/readField.ts'
import { isShownByRun } from '../shownByRun.ts'
import type { Say } from '../words/words.tsx'
import { isShrinkable, shrinkImage } from './shrinkImage.ts'

/** The files of the next message. */
export interface Attached {
  readonly files: readonly File[]
  readonly problem: string | undefined
  readonly isPreparing: boolean
}

/** The files that a message takes, and the words for users. */
export interface Rules {
  readonly accept: string | undefined
  readonly maxBytes: number
  readonly maxFiles: number
  readonly shrinksImages: boolean
  readonly say: Say
  readonly locale: string
  /** Words an error for users. */
  readonly wordsOf: (error: unknown) => string
}

export const nothing: Attached = { files: [], problem: undefined, isPreparing: false }

/** The files of the next message, outside of React. Event handlers write them, a render never does. */
export class Attachments {
  #attached = nothing
  #preparing: Promise<void> | undefined
  #isSending = false
  readonly #rules: () => Rules
  readonly #notify: (attached: Attached) => void

  constructor(rules: () => Rules, notify: (attached: Attached) => void) {
    this.#rules = rules
    this.#notify = notify
  }

  readonly add = (given: Iterable<File>): void => {
    const chosen = [...given]
    const rules = this.#rules()
    const shrinks = (file: File): boolean => rules.shrinksImages && isShrinkable(file) && isOfType(file, rules)
    if (this.#preparing || chosen.some(shrinks)) this.#prepare(chosen, shrinks)
    else this.#take(this.#attached.files, chosen)
  }

  readonly remove = (file: File): void =>
    this.#change({ files: this.#attached.files.filter((other) => other !== file) })

  readonly send = async (text: string, say: (content: UserContent) => PromiseLike<unknown>): Promise<boolean> => {
    const isNothing = text.trim() === '' && this.#attached.files.length === 0 && !this.#preparing
    if (this.#isSending || isNothing) return false
    this.#isSending = true
    try {
      return (await this.#prepared()) && (await this.#sendAll(text, say))
    } finally {
      this.#isSending = false
    }
  }

  async #sendAll(text: string, say: (content: UserContent) => PromiseLike<unknown>): Promise<boolean> {
    const { files } = this.#attached
    this.#change({ files: [], problem: undefined })
    try {
      await say(await contentOf(text, files, this.#rules().say))
      return true
    } catch (error) {
      this.#take([], [...files, ...this.#attached.files])
      const { problem } = this.#attached
      const isShown = isShownByRun(error)
      if (!isShown) reportProblem(error)
      const refusal = isShown ? undefined : this.#rules().wordsOf(error)
      this.#change({ problem: [refusal, problem].filter(Boolean).join(' ') || undefined })
      return false
    }
  }

  /** Shrinks photos before it takes the files, after those that were chosen before. */
  #prepare(chosen: readonly File[], shrinks: (file: File) => boolean): void {
    const before = this.#preparing
    const prepare = async (): Promise<void> => {
      await before
      const ready: File[] = []
      // One after the other, since a decoded photo takes much memory.
      for (const file of chosen) ready.push(shrinks(file) ? await shrinkImage(file) : file)
      this.#take(this.#attached.files, ready)
      if (this.#preparing !== preparing) return
      this.#preparing = undefined
      this.#change({ isPreparing: false })
    }
    const preparing = prepare()
    this.#preparing = preparing
    this.#change({ isPreparing: true })
  }

  /** Returns true once all files are ready, and false if one was omitted: users see that before the message is sent. */
  async #prepared(): Promise<boolean> {
    if (!this.#preparing) return true
    this.#change({ problem: undefined })
    while (this.#preparing) await this.#preparing
    return this.#attached.problem === undefined
  }

  #take(before: readonly File[], chosen: readonly File[]): void {
    this.#change(withFiles(before, chosen, this.#rules()))
  }

  #change(change: Partial<Attached>): void {
    this.#attached = { ...this.#attached, ...change }
    this.#notify(this.#attached)
  }
}

/** Returns the files with those that a message has room for, and the reason why the first other one is omitted. */
function withFiles(
  before: readonly File[],
  chosen: readonly File[],
  rules: Rules,
): Pick<Attached, 'files' | 'problem'> {
  const files = [...before]
  let problem: string | undefined
  for (const file of chosen) {
    // The app may give the same object twice. Two files of one name are two.
    if (files.includes(file)) continue
    const refusal = refusalOf(file, files, rules)
    if (refusal === undefined) files.push(file)
    problem ??= refusal
  }
  return { files, problem }
}

/** Returns why a file is omitted. */
function refusalOf(file: File, others: readonly File[], rules: Rules): string | undefined {
  const { name, size } = file
  const { accept = '', maxBytes, maxFiles, say, locale } = rules
  const most = (maxBytes / 1e6).toLocaleString(locale, { style: 'unit', unit: 'megabyte' })
  if (size > maxBytes) return say('fileTooLarge', { name, size: most })
  if (size === 0) return say('fileEmpty', { name })
  if (!isOfType(file, rules)) return say('fileOfOtherType', { name, types: accept })
  if (others.length >= maxFiles) return say('tooManyFiles', { count: maxFiles })
  const together = others.reduce((sum, other) => sum + other.size, size)
  return together > maxBytes ? say('filesTooLarge', { name, size: most }) : undefined
}

function isOfType({ name, type }: File, { accept }: Pick<Rules, 'accept'>): boolean {
  const kinds = accept?.split(',').map((kind) => kind.trim().toLowerCase())
  const fits = (kind: string): boolean => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
  }
  return !kinds || kinds.some(fits)
}

async function contentOf(text: string, files: readonly File[], say: Say): Promise<UserContent> {
  if (files.length === 0) return text
  const parts = await Promise.all(files.map((file) => toPart(file, say)))
  return text.trim() ? [{ type: 'text', text }, ...parts] : parts
}

async function toPart(picked: File, say: Say): Promise<ReturnType<typeof file>> {
  const { name: filename, type } = picked
  try {
    return file(await picked.arrayBuffer(), type || 'application/octet-stream', { filename })
  } catch (error) {
    throw unreadableFile(picked, say, error)
  }
}
