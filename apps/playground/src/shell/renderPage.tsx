import { messageOf } from '@interleave/core/internal'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { DiagnosisCard } from '../panels/DiagnosisCard.tsx'

/**
 * Renders the page. After an uncaught error, React removes the whole page, and a card that says how to continue
 * replaces it.
 */
export function renderPage(host: Element, page: ReactNode): void {
  const root = createRoot(host, {
    onUncaughtError(error) {
      reportError(error)
      queueMicrotask(() => root.render(<BrokenPage error={error} />))
    },
  })
  root.render(page)
}

const diagnosis = {
  title: 'The page broke',
  explanation: 'The runs of this page are stored up to their last step, and so are your texts.',
  steps: ['Load the page again: runs continue where they were.', 'If it breaks again, start a new run.'],
}

const BrokenPage = ({ error }: { error: unknown }) => (
  <main role="alert" className="broken-page">
    <DiagnosisCard diagnosis={{ ...diagnosis, detail: messageOf(error) }}>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Load the page again
      </button>
      <button type="button" className="button" onClick={openNewRun}>
        New run
      </button>
    </DiagnosisCard>
  </main>
)

/** Loads the page without the run of its address, which may be the cause of the error. */
function openNewRun(): void {
  history.replaceState(null, '', location.pathname)
  location.reload()
}
