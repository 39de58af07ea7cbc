import { Pencil } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useHasLedger } from '../firstMinute/guided.ts'
import { later } from '../parts/later.tsx'
import { own } from '../parts/objects.ts'
import { RenderBoundary } from '../parts/RenderBoundary.tsx'
import { type Tab, Tabs } from '../parts/Tabs.tsx'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { PaneSeparator } from '../shell/PaneSeparator.tsx'
import { useMedia } from '../shell/useMedia.ts'
import { places } from '../workers/Place.ts'
import type { InsidePartProps } from './InsidePart.tsx'
import './details.css'
import './skeleton.css'

const LedgerView = later(async () => (await import('../firstMinute/LedgerView.tsx')).LedgerView)
const Scratchpad = later(async () => (await import('./Scratchpad.tsx')).Scratchpad)
const CodePanel = later(async () => (await import('../code/CodePanel.tsx')).CodePanel)
const GraphPanel = later(async () => (await import('./GraphPanel.tsx')).GraphPanel)
const InsidePart = later(async () => (await import('./InsidePart.tsx')).InsidePart)
const Watching = later(
  async () => (await import('./InsidePart.tsx')).Watching,
  // The visible text says so.
  () => null,
)

/** The inside of the run that is shown: what it thinks and does, where it is, what it costs. */
export function Details() {
  const conversation = useShown()
  const isNarrow = useMedia('(width < 48rem)')
  const isOpening = usePage(({ shown, failures }) => shown !== undefined && own(failures, shown) === undefined)
  return (
    <aside className="pane details" aria-label="Inside the run" data-pane="details">
      <PaneSeparator pane="details" />
      {conversation ? (
        <>
          <AgentBar conversation={conversation} />
          {!isNarrow && <Ledger conversation={conversation} />}
          <Parts conversation={conversation} />
          <Suspense>
            <Watching conversation={conversation} />
          </Suspense>
        </>
      ) : isOpening ? (
        <Skeleton />
      ) : (
        <NoRun />
      )}
    </aside>
  )
}

function Parts({ conversation }: { conversation: Conversation }) {
  const { showInside } = usePlayground()
  const chosen = usePage(({ inside }) => inside)
  return <Tabs label="Inside the run" tabs={tabsOf(conversation)} chosen={chosen} onChoose={showInside} />
}

function tabsOf(conversation: Conversation): Tab[] {
  const { run, graph } = conversation
  const part = (id: InsidePartProps['part'], title: string): Tab => ({
    id,
    title,
    content: <Later key={id} content={<InsidePart part={id} conversation={conversation} />} />,
  })
  const drawing = graph && <Later content={<GraphPanel conversation={conversation} graph={graph} />} />
  return [
    {
      id: 'scratchpad',
      title: 'Scratchpad',
      content: (
        <RenderBoundary key={run.id} name="The scratchpad">
          <Suspense>
            <Scratchpad run={run} />
          </Suspense>
        </RenderBoundary>
      ),
    },
    { id: 'code', title: 'Code', content: <Later content={<CodePanel key={run.id} conversation={conversation} />} /> },
    part('timeline', 'Timeline'),
    ...(drawing ? [{ id: 'graph', title: 'Graph', content: drawing }] : []),
    part('usage', 'Usage'),
    part('state', 'State'),
    part('log', 'Log'),
  ]
}

function Ledger({ conversation }: { conversation: Conversation }) {
  const hasLedger = useHasLedger(conversation)
  return hasLedger ? (
    <Suspense>
      <LedgerView conversation={conversation} />
    </Suspense>
  ) : null
}

const Later = ({ content }: { content: ReactNode }) => (
  <RenderBoundary name="This part" of={content}>
    <Suspense fallback={<p className="thinking no-run">Loading</p>}>{content}</Suspense>
  </RenderBoundary>
)

/** The agent of the run, and a link to its file. */
function AgentBar({ conversation: { offer, file, place } }: { conversation: Conversation }) {
  const { edit } = usePlayground()
  return (
    <div className="agent-bar">
      <p>
        {offer.title} {file !== offer.file && <span className="badge edited">edited</span>}
        {place !== 'page' && <span className="badge">{places[place]}</span>}
      </p>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => edit(offer)}>
        <Pencil aria-hidden /> Edit agent
      </button>
    </div>
  )
}

/** Shown while the run is opened. The conversation tells screen readers. */
const Skeleton = () => (
  <div className="skeleton inside" aria-hidden>
    <span />
    <span />
    <span />
  </div>
)

/** The tabs that a run will have, explained on the first screen. */
const insides = [
  ['Timeline', 'How long each call of a model and of a tool took, and the exact prompt of each turn'],
  ['Usage', 'Tokens and cost, turn by turn'],
  ['State', 'The state of the run after any of its events'],
  ['Log', 'Every event, to search, link to and fork from'],
] as const

const NoRun = () => (
  <div className="no-run">
    <h2>Inside the run</h2>
    <p>
      Once an agent works, you see here what it thinks, does and observes, each event of its log, and what it costs.
    </p>
    <ol aria-label="How a turn goes">
      <li className="strand thought">Thought: what to do next</li>
      <li className="strand action">Action: a tool and its input</li>
      <li className="strand observation">Observation: the result</li>
    </ol>
    <dl>
      {insides.map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </div>
)
