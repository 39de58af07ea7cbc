import { callTags, valueClosers, valueOpeners } from './callTags.ts'
import { findJson, isBlank } from './characters.ts'
import { createJsonEnd, type JsonEnd } from './jsonEnd.ts'
import type { Token } from './token.ts'

/** Collects the text of one call. It tells a mark that ends the call from one that an argument holds. */
export interface CallBody {
  readonly open: string
  add(token: Token): void
  /** Returns true if this mark belongs to an argument. */
  holds(token: Token): boolean
  readonly text: string
  readonly isBlank: boolean
}

export function createCallBody(open: string): CallBody {
  const pieces: string[] = []
  let json: JsonEnd | undefined
  let values = 0
  let hasText = false

  const followJson = (text: string): void => {
    for (let from = 0; from < text.length; ) {
      const start = json ? from : findJson(text, from)
      if (start < 0) return
      json ??= createJsonEnd()
      const end = json.find(text, start)
      if (end === undefined) return
      json = undefined
      from = end
    }
  }

  return {
    open,
    add({ type, text }) {
      pieces.push(text)
      hasText ||= !isBlank(text)
      if (!json && type === 'tag' && valueOpeners.has(text)) values++
      else if (!json && type === 'tag' && valueClosers.has(text)) values = Math.max(0, values - 1)
      else if (values === 0) followJson(text)
    },
    holds({ type, text }) {
      if (json?.inString) return true
      // An argument that its call ends before it ends itself makes the call invalid.
      return values > 0 && !(type === 'tag' && text === callTags.get(open))
    },
    get text() {
      return pieces.join('')
    },
    get isBlank() {
      return !hasText
    },
  }
}
