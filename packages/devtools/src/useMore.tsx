import { type ReactNode, useState } from 'react'
import { count } from './wording.ts'

const page = 200

/** The rows of a table, a page at a time, and the button for more. */
export function useMore<Row>(rows: readonly Row[]): { readonly shown: readonly Row[]; readonly rest: ReactNode } {
  const [most, setMost] = useState(page)
  const left = rows.length - most
  return {
    shown: left > 0 ? rows.slice(0, most) : rows,
    rest: left > 0 && (
      <button type="button" data-part="button" onClick={() => setMost(most + page)}>
        {count(Math.min(page, left))} more of {count(left)}
      </button>
    ),
  }
}
