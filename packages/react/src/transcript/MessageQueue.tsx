import type { Run } from '@interleave/core'
import { messageOf, reportLater } from '@interleave/core/internal'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type Queue, type QueuedMessage, useQueue } from '../useQueue.ts'
import { FileList } from './FileList.tsx'

export interface MessageQueueProps {
  readonly run: Run | undefined
  readonly className?: string
}

/**
 * Shows the messages that wait while a run works: each can be edited, withdrawn or sent now. Nothing without any. Render it
 * outside of your forms: forms cannot be nested.
 *
 * @example
 * <MessageQueue run={run} />
 */
export function MessageQueue({ run, className }: MessageQueueProps): ReactNode {
  const queue = useQueue(run)
  const [editing, edit] = useState<QueuedMessage>()
  const { waiting } = queue
  // Typed text is not lost if the model takes the message meanwhile.
  const isTaken = editing !== undefined && !waiting.some(({ seq }) => seq === editing.seq)
  const shown = isTaken ? [editing, ...waiting] : waiting
  if (shown.length === 0) return null
  const save = async (content: string): Promise<void> => {
    edit(undefined)
    if (!editing || content === editing.content) return
    if (isTaken) await run?.say(content)
    else await queue.edit(editing, content)
  }
  return (
    <section data-interleave="queue" aria-label="Queue" className={className}>
      <ul>
        {shown.map((message) =>
          message.seq === editing?.seq ? (
            <li key={message.seq}>
              <EditForm message={message} isTaken={isTaken} onSave={save} onCancel={() => edit(undefined)} />
            </li>
          ) : (
            <Queued key={message.seq} message={message} queue={queue} onEdit={() => edit(message)} />
          ),
        )}
      </ul>
    </section>
  )
}

interface QueuedProps {
  readonly message: QueuedMessage
  readonly queue: Queue
  readonly onEdit: () => void
}

function Queued({ message, queue, onEdit }: QueuedProps): ReactNode {
  const [problem, setProblem] = useState('')
  const { content } = message
  const act = (doing: Promise<void>): void => {
    setProblem('')
    doing.catch((error) => setProblem(messageOf(error)))
  }
  return (
    <li>
      <p>{textOf(message)}</p>
      <FileList content={content} />
      <div data-interleave="queue-actions">
        {typeof content === 'string' && (
          <button type="button" onClick={onEdit}>
            Edit
          </button>
        )}
        <button type="button" onClick={() => act(queue.withdraw(message))}>
          Withdraw
        </button>
        <button type="button" onClick={() => act(queue.sendNow(message))}>
          Send now
        </button>
      </div>
      <p role="alert" data-interleave="reason">
        {problem}
      </p>
    </li>
  )
}

const textOf = ({ content }: QueuedMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

interface EditFormProps {
  readonly message: QueuedMessage
  readonly isTaken: boolean
  readonly onSave: (content: string) => Promise<void>
  readonly onCancel: () => void
}

function EditForm({ message, isTaken, onSave, onCancel }: EditFormProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const content = String(new FormData(event.currentTarget).get('content') ?? '').trim()
    onSave(content).catch(reportLater)
  }
  return (
    <form data-interleave="edit-message" onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onCancel()}>
      <input
        name="content"
        aria-label="New text"
        required
        defaultValue={textOf(message)}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit it.
        autoFocus
        autoComplete="off"
      />
      <button type="submit">{isTaken ? 'Send again' : 'Save'}</button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      {isTaken && <small role="status">The model has the message already.</small>}
    </form>
  )
}
