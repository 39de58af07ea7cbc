import { CircleCheck, Download, GitCompareArrows, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { download } from '../parts/download.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePlayground } from '../run/usePlayground.ts'
import { forkAndCompare } from './forkAndCompare.ts'
import { type GoldenFile, goldenTest } from './goldenTest.ts'
import { type Replaying, useReplay } from './useReplay.ts'
import './testDialog.css'

/** Makes a test of a run, runs it in the page, and gives it to the user. */
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
            ? 'The test runs the agent again with the recorded model, tools and replies, and expects the same trace. It calls no model, and secrets are left out.'
            : `The test replays the file of this run, since ${made.why}. It calls no model, and secrets are left out.`}{' '}
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

/** Says how the replay in this page ended, and what to do about a difference. */
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
