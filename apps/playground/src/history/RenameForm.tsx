import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { usePlayground } from '../run/usePlayground.ts'
import type { Row } from './rows.ts'

/** A name for a run in place of its first words. An empty one gives these back. */
export function RenameForm({ row: { runId, title }, onDone }: { row: Row; onDone: () => void }) {
  const { mark } = usePlayground()
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => field.current?.select(), [])

  const leave = (): void => {
    const row = form.current?.closest('li')
    onDone()
    requestAnimationFrame(() => row?.querySelector('a')?.focus())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mark(runId, { name: field.current?.value.trim().slice(0, 120) })
    leave()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    leave()
  }
  return (
    <form ref={form} className="rename" onSubmit={submit}>
      <input
        ref={field}
        className="text-field"
        aria-label="Name of the run"
        defaultValue={title}
        maxLength={120}
        onKeyDown={press}
      />
      <button type="submit" className="button">
        Save
      </button>
    </form>
  )
}
