import { defaultLabels, type TextLabels } from './textLabels.ts'

/** Puts the words that readers know in place of an app's own, at the beginning of lines, as the text streams. */
export interface Relabel {
  read(chunk: string): string
  /** The text is over: what was held back. */
  end(): string
}

export function relabel(own: Partial<TextLabels>): Relabel {
  const words = Object.entries(own)
    .map(([name, label]): readonly [string, string] => [label, defaultLabels[name as keyof TextLabels]])
    .filter(([label, known]) => label !== known)
    // A longer label may begin with a shorter one.
    .sort(([a], [b]) => b.length - a.length)
  const longest = Math.max(0, ...words.map(([label]) => label.length))
  let line = ''
  let open = true

  const replaced = (): string => {
    open = false
    const [indent = ''] = /^\s*/.exec(line) ?? []
    const found = words.find(([label]) => isLabel(line.slice(indent.length), label))
    const text = found ? `${indent}${found[1]}${line.slice(indent.length + found[0].length)}` : line
    line = ''
    return text
  }
  /** Takes a piece without line breaks, except for one at its end. */
  const take = (piece: string): string => {
    const ends = piece.endsWith('\n')
    if (!open) {
      open = ends
      return piece
    }
    line += piece
    const [label = ''] = /\S.*/s.exec(line) ?? []
    if (!ends && label.length <= longest + 4) return ''
    const text = replaced()
    open = ends
    return text
  }

  return {
    read: (chunk) => (longest === 0 ? chunk : (chunk.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(take).join('')),
    end: () => (open ? replaced() : ''),
  }
}

/** Whether a line begins with a label, such as `Thought: …` or `Thought 12: …`. */
const isLabel = (line: string, label: string): boolean =>
  line.toLowerCase().startsWith(label.toLowerCase()) && /^ ?\d{0,3} ?:/.test(line.slice(label.length))

/** A complaint in the app's own words: readers quote those that they know. */
export const inOwnWords = (complaint: string, own: Partial<TextLabels>): string =>
  Object.entries(own).reduce(
    (text, [name, label]) => text.replaceAll(`"${defaultLabels[name as keyof TextLabels]}:"`, `"${label}:"`),
    complaint,
  )
