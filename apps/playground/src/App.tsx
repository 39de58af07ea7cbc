import type { CSSProperties } from 'react'
import { BenchDialog } from './bench/BenchDialog.tsx'
import { useShortcuts } from './commands/listenForKeys.ts'
import { AgentDialog } from './panels/AgentDialog.tsx'
import { Chat } from './panels/Chat.tsx'
import { Details } from './panels/Details.tsx'
import { RunList } from './panels/RunList.tsx'
import { SectionDialog } from './panels/SectionDialog.tsx'
import { TopBar } from './panels/TopBar.tsx'
import type { Pane } from './run/PlaygroundState.ts'
import { usePage, usePlayground } from './run/usePlayground.ts'
import { Notices } from './shell/Notices.tsx'
import { PageDialogs } from './shell/PageDialogs.tsx'
import { useMedia } from './shell/useMedia.ts'
import './app.css'
import '@interleave/react/styles.css'
import './parts/outlet.css'

/** The whole page: runs, conversation, and the inside of the run that is shown. */
export function App() {
  const pane = usePage((page) => page.pane)
  const listWidth = usePage((page) => page.settings.listWidth)
  const detailsWidth = usePage((page) => page.settings.detailsWidth)
  useShortcuts()
  return (
    <div className="app" data-pane={pane} style={widths({ list: listWidth, details: detailsWidth })}>
      <SkipLink />
      <TopBar />
      <PaneSwitch />
      <RunList />
      <Chat />
      <Details />
      <AgentDialog />
      <SectionDialog />
      <BenchDialog />
      <PageDialogs />
      <Notices />
    </div>
  )
}

/** In the past there is no message box. */
function SkipLink() {
  const isPast = usePage(({ travelledTo }) => travelledTo !== undefined)
  return (
    <a className="skip-link" href={isPast ? '#time-travel' : '#composer'}>
      {isPast ? 'Skip to time travel' : 'Skip to the message box'}
    </a>
  )
}

/** Only those that the user chose: the style sheet has the defaults. */
const widths = (chosen: Readonly<Record<string, number | undefined>>): CSSProperties =>
  Object.fromEntries(
    Object.entries(chosen).flatMap(([name, width]) => (width === undefined ? [] : [[`--${name}-width`, `${width}px`]])),
  )

const titles: Readonly<Record<Pane, string>> = { runs: 'Runs', chat: 'Chat', details: 'Inside' }

/** Chooses the pane to show if the page has no room for all: alone, or next to the conversation. */
function PaneSwitch() {
  const { choosePane } = usePlayground()
  const chosen = usePage((page) => page.pane)
  const hasTwo = useMedia('(48rem <= width < 70rem)')
  const panes: readonly Pane[] = hasTwo ? ['runs', 'details'] : ['runs', 'chat', 'details']
  const shown = hasTwo && chosen === 'chat' ? 'details' : chosen
  return (
    <nav className="pane-switch" aria-label={hasTwo ? 'Beside the chat' : 'Panes'} data-two={hasTwo}>
      {hasTwo && <span aria-hidden>Beside the chat:</span>}
      {panes.map((pane) => (
        <button key={pane} type="button" aria-current={pane === shown} onClick={() => choosePane(pane)}>
          {titles[pane]}
        </button>
      ))}
    </nav>
  )
}
