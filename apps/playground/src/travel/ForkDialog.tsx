import type { Event } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { GitFork } from 'lucide-react'
import { type FormEvent, type MouseEvent, useId, useState } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePlayground } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'
import { type Editable, editable, readEdit, repeatedWork, toField } from './editable.ts'
import { FieldOf } from './FieldOf.tsx'
import './forkDialog.css'

export interface ForkDialogProps {
  readonly conversation: Conversation
  /** The `seq` of the last event that the new run copies. */
  readonly at: number
}

/** Creates a new run from the log of this one up to an event, whose content the user may change. Both runs are kept. */
export function ForkDialog({ conversation, at }: ForkDialogProps) {
  const { openFork } = usePlayground()
  const live = conversation.past?.live ?? conversation
  const events = useEvents(live)
  const found = editable(events, at)
  const title = found ? `Fork with another ${found.type}` : `Fork after event ${at}`
  return (
    <Dialog title={title} isOpen onClose={() => openFork(undefined)}>
      <ForkForm conversation={live} at={at} events={events} found={found} />
    </Dialog>
  )
}

interface ForkFormProps extends ForkDialogProps {
  readonly events: readonly Event[]
  readonly found: Editable | undefined
}

/** Closes as Escape does, which returns the focus. */
const close = ({ currentTarget }: MouseEvent<HTMLElement>): void => currentTarget.closest('dialog')?.close()

function ForkForm({ conversation, at, events, found }: ForkFormProps) {
  const { fork, store } = usePlayground()
  const [field, setField] = useState(() => (found ? toField(found) : ''))
  const [problem, setProblem] = useState<string>()
  const [isForking, setForking] = useState(false)
  const problemId = useId()
  const isHere = !isServed(conversation.place)
  const isBrought = !isHere && found !== undefined && found.type !== 'message' && field !== toField(found)

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const read = found ? readEdit(found, field) : ({ ok: true, edit: undefined } as const)
    if (!read.ok) return setProblem(read.problem)
    setForking(true)
    await fork(conversation, { at, ...(read.edit && { edit: read.edit }) })
    const { trouble } = store.getState()
    setForking(false)
    setProblem(trouble === undefined ? undefined : messageOf(trouble.error))
  }

  return (
    <form className="fork-form" noValidate onSubmit={(event) => void submit(event)}>
      {found && (
        <FieldOf
          found={found}
          value={field}
          problem={problem === undefined ? undefined : problemId}
          onChange={(value) => {
            setField(value)
            setProblem(undefined)
          }}
        />
      )}
      {problem && (
        <p id={problemId} role="alert" className="fork-problem">
          {problem}
        </p>
      )}
      <p className="fork-cost">
        <GitFork aria-hidden />
        <span>
          {repeatedWork(events, at)}
          {conversation.connection.type === 'demo' && isHere && ' The demo planner costs nothing.'} This run stays as it
          is.
          {isBrought && ' A server does not accept changed tool results or answers, so the new run works in this page.'}
        </span>
      </p>
      <div className="fork-actions">
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isForking}>
          {isForking ? 'Forking …' : 'Fork'}
        </button>
      </div>
    </form>
  )
}
