import { useStatus } from '@interleave/react'
import { Zap } from 'lucide-react'
import { useServer } from '../remote/useServer.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'

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

/** Returns true if the page can end the host of a run. A server reports that itself. */
export function useCanKill(conversation: Pick<Conversation, 'run' | 'place'>): boolean {
  const server = useServer(conversation)
  return server ? server.type === 'there' && server.canKill : !isServed(conversation.place)
}
