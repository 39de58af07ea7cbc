import { createReplacer } from './createReplacer.ts'

/** A secret that was found. Never the secret itself. */
export interface FoundSecret {
  /** The kind of secret, such as `API key` or `field "password"`. */
  readonly kind: string
  /** Its replacement. The same secret has the same mark everywhere. */
  readonly mark: string
  /** Its beginning, so that a user can recognize it. */
  readonly hint: string
  /** In how many places it was. */
  readonly count: number
}

export interface Marks {
  /** Returns the replacement of a secret. */
  of(secret: string, kind: string): string
  /** Replaces all known secrets in a text. */
  clear(text: string): string
  /** Forgets how often they were seen since. */
  recount(from: readonly FoundSecret[]): void
  found(): readonly FoundSecret[]
  /** The number of secrets. */
  readonly size: number
}

/** Returns true if a text is already a mark. */
export const isMark = (text: string): boolean => /^\[redacted: [^\]]*\]$/.test(text)

/** Gives each secret a mark of its own, so that what referred to the same still does. */
export function createMarks(): Marks {
  const marks = new Map<string, { kind: string; mark: string; count: number }>()
  let known: ReturnType<typeof createReplacer> | undefined

  const of = (secret: string, kind: string): string => {
    const at = marks.get(secret) ?? {
      kind,
      mark: `[redacted: ${kind.replaceAll(/[[\]]/g, '')} ${marks.size + 1}]`,
      count: 0,
    }
    if (!marks.has(secret)) known = undefined
    marks.set(secret, at)
    at.count++
    return at.mark
  }
  return {
    of,
    get size() {
      return marks.size
    },
    clear(text) {
      known ??= createReplacer([...marks.keys()].filter(isTelling))
      return known(text, (secret) => of(secret, ''))
    },
    recount(from) {
      const counts = new Map(from.map(({ mark, count }) => [mark, count]))
      for (const at of marks.values()) at.count = counts.get(at.mark) ?? 0
    },
    found: () =>
      [...marks].map(([secret, at]) => ({ ...at, hint: `${secret.slice(0, Math.min(4, secret.length / 3))}…` })),
  }
}

/**
 * Returns true if a secret is long enough to be replaced in other text. A short word may occur without being the
 * secret.
 */
const isTelling = (secret: string): boolean => secret.length >= 8 || (secret.length >= 6 && /\d/.test(secret))
