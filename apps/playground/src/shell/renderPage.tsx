import { messageOf } from '@interleave/core/internal'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { DiagnosisCard } from '../panels/DiagnosisCard.tsx'

/** Renders the page. React takes away what breaks, and that is all of it; what comes in its place says how to go on. */
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
  explanation: 'Runs of this page are kept up to what they did last, and so is what you wrote.',
  steps: ['Load the page again: runs go on where they were.', 'If it breaks again, begin with a new one.'],
}

const BrokenPage = ({ error }: { error: unknown }) => (
  <main role="alert" className="broken-page">
    <DiagnosisCard diagnosis={{ ...diagnosis, detail: messageOf(error) }}>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Load the page again
      </button>
      <button type="button" className="button" onClick={beginAnew}>
        New run
      </button>
    </DiagnosisCard>
  </main>
)

/** Without what the address names, which may be what broke. */
function beginAnew(): void {
  history.replaceState(null, '', location.pathname)
  location.reload()
}
