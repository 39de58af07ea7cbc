import type { ReplayedRun } from '@interleave/testing'
import { CircleCheck, Download, GitCompareArrows, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { download } from '../parts/download.ts'
import { errorWords } from '../parts/errorWords.ts'
import type { Playground } from '../run/Playground.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import { type GoldenFile, goldenTest } from './goldenTest.ts'
import './testDialog.css'

/** Creates a test of a run, runs it in the page, and offers it for download. */
export function TestDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const events = useEvents(conversation)
  const { title } = conversation
  const made = useMemo(() => goldenTest(events, { title: title || 'a run' }), [events, title])
  const replaying = useReplay(conversation, made.run)
  const [test] = made.files
  return (
    <Dialog title="Test" isOpen isWide onClose={onClose}>
      <div className="golden">
        <Verdict conversation={conversation} replaying={replaying} onClose={onClose} />
        <p>
          {made.kind === 'rerun'
            ? 'The test runs the agent again with the recorded model, tools and replies, and expects the same trace. It calls no model, and secrets are omitted.'
            : `The test replays the file of this run, since ${made.why}. It calls no model, and secrets are omitted.`}{' '}
          {made.files.length === 1 ? 'Put it' : 'Put both files'} into a project with <code>@interleave/testing</code>{' '}
          and <code>vitest</code>. Without a test framework:{' '}
          <code>
            npx interleave test {made.runFile.name}
            {made.kind === 'replay' && ' --agent agent.ts#name'}
          </code>
        </p>
        {test && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
          <section className="golden-text" aria-label={test.name} tabIndex={0}>
            <pre>{test.text}</pre>
          </section>
        )}
        <div className="golden-actions dialog-foot">
          {test && <CopyButton label="Copy test" text={() => test.text} otherwise="Download it." />}
          {made.files.length === 1 && <SaveButton file={made.runFile} label="Download run" />}
          {made.files.map((file, index) => (
            <SaveButton
              key={file.name}
              file={file}
              label={index === 0 ? 'Download test' : 'Download run'}
              isFirst={index === 0}
            />
          ))}
        </div>
      </div>
    </Dialog>
  )
}

interface VerdictProps {
  readonly conversation: Conversation
  readonly replaying: Replaying
  readonly onClose: () => void
}

/** Shows how the replay in this page ended, and what to do about a difference. */
function Verdict({ conversation, replaying, onClose }: VerdictProps) {
  const playground = usePlayground()
  const { type } = replaying
  const difference = type === 'replayed' ? replaying.replayed.difference : undefined
  const fork = (): void => {
    if (!difference) return
    onClose()
    void forkAndCompare(playground, { conversation, at: difference.forkAt, file: replaying.agentFile })
  }
  return (
    <div className="golden-verdict" data-state={difference ? 'differs' : type}>
      <p role="status">
        {type === 'replayed' && !difference && <CircleCheck aria-hidden />}
        {(difference || type === 'failed') && <TriangleAlert aria-hidden />}
        <span>{wordsOf(replaying)}</span>
      </p>
      {difference && (
        <button type="button" className="button" onClick={fork}>
          <GitCompareArrows aria-hidden /> Fork at this turn and compare
        </button>
      )}
    </div>
  )
}

function wordsOf(replaying: Replaying): string {
  const edited = replaying.isEdited ? ' with the agent as you edited it' : ''
  switch (replaying.type) {
    case 'working':
      return 'Replaying in this page …'
    case 'failed':
      return replaying.why
    case 'replayed': {
      const { difference, compared, ms } = replaying.replayed
      if (difference) return `Replayed${edited}: it differs. ${difference.message}`
      return `Replayed ${compared} events in ${Math.max(1, Math.round(ms))} ms${edited}: same trace.`
    }
  }
}

const SaveButton = ({
  file: { name, text },
  label,
  isFirst,
}: {
  file: GoldenFile
  label: string
  isFirst?: boolean
}) => (
  <button
    type="button"
    className={isFirst ? 'button primary' : 'button'}
    title={name}
    onClick={() => download(name, text, name.endsWith('.json') ? 'application/json' : 'text/plain')}
  >
    <Download aria-hidden /> {label}
  </button>
)

interface FaultyTurn {
  readonly conversation: Conversation
  /** The `seq` of the event after which the turn is taken again. */
  readonly at: number
  /** The file of the agent that takes it. */
  readonly file: string
}

/** Takes a turn again in a fork, and shows both runs side by side: the original first. */
export async function forkAndCompare(
  { fork, compare, store }: Playground,
  { conversation, at, file }: FaultyTurn,
): Promise<void> {
  const { id } = conversation.run
  await fork({ ...conversation, file }, { at })
  const { shown, trouble } = store.getState()
  if (trouble === undefined && shown !== undefined && shown !== id) compare({ a: id, b: shown })
}

interface WithAgent {
  /** The file of the agent that is tested: the edited one, if its user edited it. */
  readonly agentFile: string
  readonly isEdited: boolean
}

type Replaying = WithAgent &
  (
    | { readonly type: 'working' }
    | { readonly type: 'replayed'; readonly replayed: ReplayedRun }
    | { readonly type: 'failed'; readonly why: string }
  )

/** Replays the file of a run with its agent, as soon as it is shown. No model and no tool is called. */
function useReplay({ offer, file, log, runModel }: Conversation, runFile: unknown): Replaying {
  const edited = usePage(({ edits }) => edits[offer.id]?.used)
  const agentFile = edited ?? file
  const about: WithAgent = { agentFile, isEdited: agentFile !== file }
  const [done, setDone] = useState<{ readonly of: unknown; readonly with: string; readonly replaying: Replaying }>()

  useEffect(() => {
    const stop = new AbortController()
    const isEdited = agentFile !== file
    const put = (end: { type: 'replayed'; replayed: ReplayedRun } | { type: 'failed'; why: string }): void => {
      if (!stop.signal.aborted) setDone({ of: runFile, with: agentFile, replaying: { ...end, agentFile, isEdited } })
    }
    const replay = async (): Promise<ReplayedRun> => {
      const { replayHere } = await import('./replayHere.ts')
      return replayHere(runFile, { agentFile, log, runModel, signal: stop.signal })
    }
    replay().then(
      (replayed) => put({ type: 'replayed', replayed }),
      (error: unknown) => put({ type: 'failed', why: errorWords(error) }),
    )
    return () => stop.abort()
  }, [runFile, agentFile, file, log, runModel])

  return done && done.of === runFile && done.with === agentFile ? done.replaying : { type: 'working', ...about }
}
