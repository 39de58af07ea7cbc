import { Pencil } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { type Tab, Tabs } from '../parts/Tabs.tsx'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground, useShown } from '../run/usePlayground.ts'
import { places } from '../workers/Place.ts'
import { Inspector } from './Inspector.tsx'
import { Scratchpad } from './Scratchpad.tsx'
import { UsageTable } from './UsageTable.tsx'
import './details.css'

/** The inside of the run that is shown: what it thinks, where it stands, what happened, what it cost. */
export function Details() {
  const conversation = useShown()
  return (
    <aside className="pane details" aria-label="Inside the run" data-pane="details">
      {conversation ? (
        <>
          <AgentBar conversation={conversation} />
          <Tabs key={conversation.run.id} label="Inside the run" tabs={tabsOf(conversation)} />
        </>
      ) : (
        <NoRun />
      )}
    </aside>
  )
}

const GraphPanel = lazy(async () => ({ default: (await import('./GraphPanel.tsx')).GraphPanel }))

function tabsOf(conversation: Conversation): Tab[] {
  const { run, graph } = conversation
  const content = graph && (
    <Suspense fallback={<p className="thinking no-run">Loading</p>}>
      <GraphPanel conversation={conversation} graph={graph} />
    </Suspense>
  )
  return [
    { id: 'scratchpad', title: 'Scratchpad', content: <Scratchpad run={run} /> },
    ...(content ? [{ id: 'graph', title: 'Graph', content }] : []),
    { id: 'events', title: 'Events', content: <Inspector conversation={conversation} /> },
    { id: 'usage', title: 'Tokens and cost', content: <UsageTable conversation={conversation} /> },
  ]
}

/** Which agent works, and the way to its file. */
function AgentBar({ conversation: { offer, file, place } }: { conversation: Conversation }) {
  const { edit } = usePlayground()
  return (
    <div className="agent-bar">
      <p>
        {offer.title} {file !== offer.file && <span className="badge edited">edited</span>}
        {place !== 'page' && <span className="badge">in {places[place]}</span>}
      </p>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => edit(offer)}>
        <Pencil aria-hidden /> Edit agent
      </button>
    </div>
  )
}

const NoRun = () => (
  <div className="no-run">
    <h2>Inside the run</h2>
    <p>
      Once an agent works, you see here what it thinks, does and observes, each event of its log, and what it costs.
    </p>
    <ol aria-label="How a turn goes">
      <li className="strand thought">Thought: what to do next</li>
      <li className="strand action">Action: a tool and its input</li>
      <li className="strand observation">Observation: what came of it</li>
    </ol>
  </div>
)
