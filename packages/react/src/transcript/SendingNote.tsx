import type { Run, UserContent } from '@interleave/core'
import { reportLater } from '@interleave/core/internal'
import type { UserMessage } from '@interleave/core/observe'
import type { ReactNode } from 'react'
import { Button } from '../parts.tsx'
import { withdrawSending } from '../useQueue.ts'
import { useLink } from '../useRun.ts'

export interface SendingNoteProps {
  readonly run: Run | undefined
  readonly message: Pick<UserMessage, 'state' | 'sendKey'> & { readonly content: UserContent }
}

/**
 * Says that a message is being sent. If its host does not answer, the user can send it again or withdraw it. Renders
 * nothing for a message that was sent.
 */
export function SendingNote({ run, message: { state, sendKey, content } }: SendingNoteProps): ReactNode {
  const isWaiting = useLink(run)?.type === 'waiting'
  if (state !== 'sending') return null
  if (!isWaiting || !run || sendKey === undefined) return <small>Sending …</small>
  const isStart = run.state.seq === 0
  return (
    <span data-interleave="sending">
      <small role="status">No answer yet. The message is kept here, and sent when there is one.</small>
      {!isStart && (
        <Button onClick={() => void run.say(content, { key: sendKey }).catch(reportLater)}>Send again</Button>
      )}
      <Button onClick={() => withdrawSending(run, sendKey)}>Withdraw</Button>
    </span>
  )
}
