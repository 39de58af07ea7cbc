import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { download } from '../parts/download.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents } from '../run/usePlayground.ts'
import { type GoldenFile, goldenTest } from './goldenTest.ts'
import './goldenDialog.css'

/** Gives a run to the user as a test that passes, and shows it before. */
export function GoldenDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const events = useEvents(conversation)
  const { title } = conversation
  const { kind, why, files } = useMemo(() => goldenTest(events, { title: title || 'a run' }), [events, title])
  const [test] = files
  return (
    <Dialog title="Export as a golden test" isOpen isWide onClose={onClose}>
      <div className="golden">
        <p>
          {kind === 'rerun'
            ? 'The agent runs again, with the recorded model, tools and answers, and has to leave the same trace. No model is asked.'
            : `The test reads the log of this run again: the agent cannot be run again by it alone, since ${why}.`}{' '}
          Put {files.length === 1 ? 'the file' : 'both files'} into a project with <code>@interleave/core</code>
          {kind === 'rerun' && (
            <>
              , <code>zod</code>
            </>
          )}{' '}
          and <code>vitest</code>.
        </p>
        {test && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
          <section className="golden-text" aria-label={test.name} tabIndex={0}>
            <pre>{test.text}</pre>
          </section>
        )}
        <div className="golden-actions">
          {test && <CopyButton label="Copy the test" text={() => test.text} otherwise="Save it." />}
          {files.map((file, index) => (
            <SaveButton key={file.name} file={file} isFirst={index === 0} />
          ))}
        </div>
      </div>
    </Dialog>
  )
}

const SaveButton = ({ file: { name, text }, isFirst }: { file: GoldenFile; isFirst: boolean }) => (
  <button
    type="button"
    className={isFirst ? 'button primary' : 'button'}
    onClick={() => download(name, text, name.endsWith('.json') ? 'application/json' : 'text/plain')}
  >
    <Download aria-hidden /> {name}
  </button>
)
