import { Tabs } from '../parts/Tabs.tsx'
import { useShown } from '../run/usePlayground.ts'
import { Inspector } from './Inspector.tsx'
import { Scratchpad } from './Scratchpad.tsx'
import { UsageTable } from './UsageTable.tsx'
import './details.css'

/** The inside of the run that is shown: what it thinks, what happened, what it cost. */
export function Details() {
  const conversation = useShown()
  return (
    <aside className="pane details" aria-label="Inside the run" data-pane="details">
      {conversation ? (
        <Tabs
          key={conversation.run.id}
          label="Inside the run"
          tabs={[
            { id: 'scratchpad', title: 'Scratchpad', content: <Scratchpad run={conversation.run} /> },
            { id: 'events', title: 'Events', content: <Inspector conversation={conversation} /> },
            { id: 'usage', title: 'Tokens and cost', content: <UsageTable conversation={conversation} /> },
          ]}
        />
      ) : (
        <NoRun />
      )}
    </aside>
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
