import { AgentDialog } from './panels/AgentDialog.tsx'
import { Chat } from './panels/Chat.tsx'
import { Details } from './panels/Details.tsx'
import { PaneSwitch } from './panels/PaneSwitch.tsx'
import { RunList } from './panels/RunList.tsx'
import { SectionDialog } from './panels/SectionDialog.tsx'
import { TopBar } from './panels/TopBar.tsx'
import { usePage } from './run/usePlayground.ts'
import './app.css'
import './parts/outlet.css'

/** The whole page: runs, conversation, and the inside of the run that is shown. */
export function App() {
  const pane = usePage((page) => page.pane)
  return (
    <div className="app" data-pane={pane}>
      <a className="skip-link" href="#composer">
        Skip to the message box
      </a>
      <TopBar />
      <PaneSwitch />
      <RunList />
      <Chat />
      <Details />
      <AgentDialog />
      <SectionDialog />
    </div>
  )
}
