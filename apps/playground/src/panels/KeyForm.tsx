import { KeyRound } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { type Connection, labelOf, nameOfKey, secret } from '../models/index.ts'
import { own } from '../parts/objects.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { useVault } from './useVault.ts'

/** Asks for a key again: those of earlier visits are in the vault or nowhere. */
export function KeyForm({ connection }: { connection: Connection }) {
  const { connect, openDialog } = usePlayground()
  const { state, problem, unlock } = useVault()
  const field = useId()
  const use = (key: ReturnType<typeof secret>): void => {
    if ('modelId' in connection) void connect({ ...connection, key })
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key) use(secret(key))
  }
  const unlocked = async (): Promise<void> => {
    const key = own(await unlock(), nameOfKey(connection) ?? '')
    if (key) use(key)
  }
  return (
    <form className="key-form" onSubmit={submit}>
      <h3>The key is needed again</h3>
      <p>This run uses {labelOf(connection)}. Its key was in the memory of an earlier page.</p>
      {state === 'locked' && (
        <button type="button" className="button primary" onClick={() => void unlocked()}>
          <KeyRound aria-hidden /> Unlock stored keys
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
      <label htmlFor={field}>Key</label>
      <div className="key-line">
        <input id={field} className="text-field" name="key" type="password" autoComplete="off" required />
        <button type="submit" className={state === 'locked' ? 'button' : 'button primary'}>
          Continue
        </button>
        <button type="button" className="button" onClick={() => void connect({ type: 'demo' })}>
          Use the demo planner
        </button>
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
          Change the model…
        </button>
      </div>
    </form>
  )
}
