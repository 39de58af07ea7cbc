import { isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { useExport } from '../run/useExport.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'
import './skeleton.css'
import { own } from '../parts/objects.ts'

/** The placeholder of a run that is being opened or cannot be opened. */
export function NotOpen({ runId }: { runId: string }) {
  const failure = usePage(({ failures }) => own(failures, runId))
  if (failure === undefined) {
    return <Skeleton />
  }
  return <CannotOpen runId={runId} failure={failure} />
}

/** A placeholder about as high as the run, so that nothing jumps. */
const Skeleton = () => (
  <div className="skeleton">
    <p role="status" className="visually-hidden">
      Opening the run
    </p>
    {['user', 'line', 'line', 'text'].map((kind, index) => (
      <span key={index} aria-hidden data-kind={kind} />
    ))}
  </div>
)

function CannotOpen({ runId, failure }: { runId: string; failure: unknown }) {
  const { show, reopen, runIn, recoverRun } = usePlayground()
  const { save, trouble } = useExport()
  const code = isAgentError(failure) ? failure.code : undefined
  const isThere = code !== 'run_unknown'
  const said = isThere ? { detail: messageOf(failure) } : {}
  return (
    <div role="alert">
      <DiagnosisCard diagnosis={{ ...wordsFor(code), ...said }}>
        {isThere && code !== 'log_invalid' && (
          <button type="button" className="button" onClick={() => void reopen(runId)}>
            Try again
          </button>
        )}
        {code === 'worker_failed' && (
          <button type="button" className="button" onClick={() => void runIn(runId, 'page')}>
            Run it in this page
          </button>
        )}
        {code === 'log_invalid' && (
          <button type="button" className="button" onClick={() => void recoverRun(runId)}>
            Continue with what can be read
          </button>
        )}
        {isThere && (
          <button type="button" className="button" onClick={() => void save(runId)}>
            Export {code === 'log_invalid' && 'as it is'}
          </button>
        )}
        <button type="button" className="button" onClick={() => void show(undefined)}>
          New run
        </button>
        {trouble && <p>{trouble}</p>}
      </DiagnosisCard>
    </div>
  )
}

function wordsFor(code: string | undefined): { title: string; explanation: string; steps: string[] } {
  switch (code) {
    case 'run_unknown':
      return {
        title: 'There is no such run in this browser',
        explanation: 'It may have been deleted, here or in another tab, or it was made in another browser.',
        steps: [
          'Choose another one from the list of runs.',
          'Or open its file, if it was exported.',
          'If it is on the server, give the access code of the device that began it: choose “Run in: Server” for a new run.',
        ],
      }
    case 'log_invalid':
      return {
        title: 'This run is damaged',
        explanation: 'Its stored log cannot be read, so no part of it was repeated.',
        steps: [
          'Continue in a new run, with what can be read of it.',
          'Or export it as it is, and delete it from the list.',
        ],
      }
    case 'agent_mismatch':
      return {
        title: 'Its agent is not here',
        explanation: 'The run was made with an agent that this page does not have.',
        steps: ['Edit an agent so that it has the same name and tools, and use it.', 'Then try again.'],
      }
    case 'remote_failed':
      return {
        title: 'The server does not answer',
        explanation: 'The run is on the server, and continues there.',
        steps: ['Try again when the server and the network are back.'],
      }
    case 'worker_failed':
      return {
        title: 'The worker of this run does not start',
        explanation: 'The run works in a worker of its own, which could not be started. Nothing of it is lost.',
        steps: ['Run it in this page: it resumes where it stopped.', 'Or try again.'],
      }
    default:
      return {
        title: 'The run could not be opened',
        explanation: 'Nothing of it is lost.',
        steps: ['Try again.', 'Or load the page again, and close other tabs of it.'],
      }
  }
}
