import type { CSSProperties } from 'react'
import { BenchDialog } from './bench/BenchDialog.tsx'
import { AgentDialog } from './panels/AgentDialog.tsx'
import { Chat } from './panels/Chat.tsx'
import { Details } from './panels/Details.tsx'
import { PaneSwitch } from './panels/PaneSwitch.tsx'
import { RunList } from './panels/RunList.tsx'
import { SectionDialog } from './panels/SectionDialog.tsx'
import { TopBar } from './panels/TopBar.tsx'
import { usePage } from './run/usePlayground.ts'
import { Notices } from './shell/Notices.tsx'
import { PageDialogs } from './shell/PageDialogs.tsx'
import { useShortcuts } from './shell/useShortcuts.ts'
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

/** Only those that somebody chose: the style sheet knows the usual ones. */
const widths = (chosen: Readonly<Record<string, number | undefined>>): CSSProperties =>
  Object.fromEntries(
    Object.entries(chosen).flatMap(([name, width]) => (width === undefined ? [] : [[`--${name}-width`, `${width}px`]])),
  )
