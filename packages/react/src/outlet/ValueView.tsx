import type { Json } from '@interleave/core'
import { type ReactNode, useState } from 'react'
import { plainJson } from '../untrusted/piecesOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'

export interface ValueViewProps {
  readonly value: Json
  /** Its nesting depth. */
  readonly depth?: number
}

/** Shows a value for a decision: every member, nothing hidden; long values are cut until the user expands them. */
export function ValueView({ value, depth = 0 }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return value ? <UntrustedText>{value}</UntrustedText> : <em>empty text</em>
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>
  if (depth > 5) return <UntrustedText>{plainJson(value)}</UntrustedText>
  if (Object.keys(value).length === 0) return <em>{Array.isArray(value) ? 'empty list' : 'nothing'}</em>
  return Array.isArray(value) ? <Items values={value} depth={depth} /> : <Members value={value} depth={depth} />
}

function Members({ value, depth }: { readonly value: object; readonly depth: number }): ReactNode {
  const { shown, more } = useSome(Object.entries(value))
  return (
    <>
      <dl data-interleave="value">
        {shown.map(([key, member]) => (
          <div key={key}>
            <dt>
              <UntrustedText limit={80}>{key}</UntrustedText>
            </dt>
            <dd>
              <ValueView value={member as Json} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}

function Items({ values, depth }: { readonly values: readonly Json[]; readonly depth: number }): ReactNode {
  const { shown, more } = useSome(Object.entries(values))
  return (
    <>
      <ol data-interleave="values">
        {shown.map(([index, item]) => (
          <li key={index}>
            <ValueView value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

/** Returns the first entries, and the others once the user wants them. */
function useSome<T>(entries: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [areAll, showAll] = useState(false)
  const shown = areAll ? entries : entries.slice(0, 20)
  const rest = entries.length - shown.length
  const more = rest > 0 && (
    <button type="button" data-interleave="more" onClick={() => showAll(true)}>
      Show {rest.toLocaleString('en')} more
    </button>
  )
  return { shown, more }
}
