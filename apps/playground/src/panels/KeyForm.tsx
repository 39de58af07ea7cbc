import { type FormEvent, useId } from 'react'
import { type Connection, labelOf, secret } from '../models/index.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Asks for a key again: those of earlier visits are not kept. */
export function KeyForm({ connection }: { connection: Connection }) {
  const { connect } = usePlayground()
  const field = useId()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key && connection.type !== 'demo') void connect({ ...connection, key: secret(key) })
  }
  return (
    <form className="key-form" onSubmit={submit}>
      <h3>The key is needed again</h3>
      <p>This run thinks with {labelOf(connection)}. Keys stay in the memory of a page and are never kept.</p>
      <label htmlFor={field}>Key</label>
      <div className="key-line">
        <input id={field} className="text-field" name="key" type="password" autoComplete="off" required />
        <button type="submit" className="button primary">
          Go on
        </button>
        <button type="button" className="button" onClick={() => void connect({ type: 'demo' })}>
          Use the demo planner
        </button>
      </div>
    </form>
  )
}
