import { useStatus } from '@interleave/react'
import { Zap } from 'lucide-react'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { useCanKill } from './useCanKill.ts'

export interface KillButtonProps {
  readonly conversation: Conversation
  readonly isPrimary?: boolean
}

/** Ends the tab, the worker or the server that executes the run, in the middle of whatever it does. */
export function KillButton({ conversation, isPrimary = false }: KillButtonProps) {
  const { run, place } = conversation
  const { kill } = usePlayground()
  const { status, signal } = useStatus(run)
  const canKill = useCanKill(conversation)
  const isUnderWay = status === 'working' || signal?.type === 'inputNeeded'
  return (
    <button
      type="button"
      className={isPrimary ? 'button primary kill-button' : 'button kill-button'}
      disabled={!isUnderWay || !canKill}
      title={canKill ? titles[place] : 'To kill it, end the process of the server, and start it again.'}
      onClick={() => void kill(run.id)}
    >
      <Zap aria-hidden /> Kill it
    </button>
  )
}

const titles = {
  page: 'Reloads the tab that executes the run, without any warning to it',
  worker: 'Terminates the worker that executes the run',
  sharedWorker: 'Ends the shared worker that executes the run',
  server: 'Kills the process of the server, which starts again',
  restate: '',
} as const
