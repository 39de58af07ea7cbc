import { UntrustedText } from '@interleave/react'
import { ShieldAlert } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { counted } from '../parts/wording.ts'
import { findSecrets, type Share } from './findSecrets.ts'
import './secretsDialog.css'

export interface SecretsDialogProps {
  /** The file of a run, as it would be saved. */
  readonly file: string
  /** The share that goes into it; undefined for no file. */
  readonly onDone: (share: Share | undefined) => void
}

const shares: readonly { readonly share: Share; readonly label: string; readonly note: string }[] = [
  { share: 'withoutSecrets', label: 'Leave the secrets out', note: 'The file can be imported and continued.' },
  {
    share: 'withoutPrompts',
    label: 'Leave out the secrets and the messages',
    note: 'Without your messages and earlier conversations, too.',
  },
  {
    share: 'everything',
    label: 'Keep everything',
    note: 'For yourself only: the secrets are readable in the file.',
  },
]

/** The secrets in a run that is about to become a file, and the choice of what goes in. */
export function SecretsDialog({ file, onDone }: SecretsDialogProps) {
  const found = useMemo(() => findSecrets(file), [file])
  const [isOpen, setOpen] = useState(true)
  const [share, setShare] = useState<Share>('withoutSecrets')
  const close = (done: Share | undefined): void => {
    if (!isOpen) return
    setOpen(false)
    onDone(done)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    close(share)
  }
  return (
    <Dialog title="There are secrets in this run" isOpen={isOpen} onClose={() => close(undefined)}>
      <form className="secrets" onSubmit={save}>
        <p>
          <ShieldAlert aria-hidden /> {counted(found.length, 'secret')} found, by shape or by name. Others may look like
          any other word.
        </p>
        <section className="secrets-found" aria-label="Secrets found">
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Begins with</th>
                <th scope="col">Places</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, 50).map(({ kind, mark, hint, count }) => (
                <tr key={mark}>
                  <td>
                    <UntrustedText limit={60}>{kind}</UntrustedText>
                  </td>
                  <td>
                    <code>
                      <UntrustedText>{hint}</UntrustedText>
                    </code>
                  </td>
                  <td>{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <fieldset>
          <legend className="visually-hidden">What goes into the file</legend>
          {shares.map(({ share: value, label, note }) => (
            <label key={value}>
              <input type="radio" name="share" checked={value === share} onChange={() => setShare(value)} />
              <span>
                <strong>{label}</strong>
                <small>{note}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <footer>
          <button type="button" className="button" onClick={() => close(undefined)}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Save the file
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
