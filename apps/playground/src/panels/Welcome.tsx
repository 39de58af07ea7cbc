import {
  Binoculars,
  BookOpenText,
  Calculator,
  ChartColumn,
  type LucideIcon,
  MapPinned,
  Pencil,
  ShoppingBasket,
  Wrench,
} from 'lucide-react'
import { agents, type Offer } from '../agents/index.ts'
import { toolLink } from '../bench/toolLink.ts'
import { fetchAhead } from '../run/fetchAhead.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import './welcome.css'

const icons: Readonly<Record<string, LucideIcon>> = {
  trip: MapPinned,
  calculator: Calculator,
  docs: BookOpenText,
  data: ChartColumn,
  fares: Binoculars,
  shop: ShoppingBasket,
}

/** What a visitor sees first: what this is, and something to click. */
export function Welcome() {
  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">Watch an agent think, act and observe</h2>
      <p>
        Agents with real tools, all in this page. Ask one something: it shows every{' '}
        <span className="strand thought">thought</span>, <span className="strand action">action</span> and{' '}
        <span className="strand observation">observation</span>, and asks you when it needs to.
      </p>
      <ul className="offers" onPointerEnter={fetchAhead} onFocus={fetchAhead}>
        {agents.map((offer) => (
          <OfferCard key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  )
}

function OfferCard({ offer }: { offer: Offer }) {
  const { start, edit, store } = usePlayground()
  const isEdited = usePage(({ edits }) => edits[offer.id]?.used !== undefined)
  const Icon = icons[offer.id] ?? BookOpenText
  // A double click begins one run.
  const begin = (prompt: string): void => {
    if (!store.getState().isStarting) void start(offer, prompt)
  }
  return (
    <li className="offer">
      <div className="offer-head">
        <h3>
          <Icon aria-hidden /> {offer.title} {isEdited && <span className="badge edited">edited</span>}
        </h3>
        <a
          className="icon-button"
          href={toolLink({ agent: offer.id })}
          aria-label={`Try the tools of ${offer.title}`}
          title="Try its tools alone"
        >
          <Wrench aria-hidden />
        </a>
        <button
          type="button"
          className="icon-button"
          aria-haspopup="dialog"
          title="Edit the agent"
          onClick={() => edit(offer)}
        >
          <Pencil aria-hidden />
          <span className="visually-hidden">Edit agent: {offer.title}</span>
        </button>
      </div>
      <p>{offer.blurb}</p>
      <ul className="prompts">
        {offer.prompts.map((prompt) => (
          <li key={prompt}>
            <button type="button" onClick={() => begin(prompt)}>
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </li>
  )
}
