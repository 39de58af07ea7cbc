import {
  Binoculars,
  BookOpenText,
  Calculator,
  ChartColumn,
  type LucideIcon,
  MapPinned,
  Pencil,
  Play,
  ShoppingBasket,
  Wrench,
} from 'lucide-react'
import { agents, type Offer } from '../agents/index.ts'
import { toolLink } from '../bench/toolLink.ts'
import { release } from '../code/release.ts'
import { guided } from '../firstMinute/guided.ts'
import { CopyButton } from '../parts/CopyButton.tsx'
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

/** The first page: why this exists, one run to try, and other agents. */
export function Welcome() {
  return (
    <section className="welcome" aria-labelledby="welcome-title" onPointerEnter={fetchAhead} onFocus={fetchAhead}>
      <h2 id="welcome-title">Agents that live in your tab, and survive it.</h2>
      <p>
        An SDK for agents in web apps. Close the tab, kill it in the middle of a payment, answer in another one: the run
        resumes where it was, and nothing is paid twice.
      </p>
      <Hero />
      <h3 id="offers-title">All agents</h3>
      <ul className="offers" aria-labelledby="offers-title">
        {agents.map((offer) => (
          <OfferCard key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  )
}

const command = release.createMine

function Hero() {
  const begin = useBegin()
  const { offer, prompt } = guided
  return (
    <div className="hero">
      <button type="button" className="button primary" onClick={() => begin(offer, prompt)}>
        <Play aria-hidden /> Book a trip, 60 s
      </button>
      <p className="install">
        <code>{command}</code> <CopyButton label="Copy" text={() => command} />
      </p>
    </div>
  )
}

/** A double click begins one run. */
function useBegin(): (offer: Offer, prompt: string) => void {
  const { start, store } = usePlayground()
  return (offer, prompt) => {
    if (!store.getState().isStarting) void start(offer, prompt)
  }
}

function OfferCard({ offer }: { offer: Offer }) {
  const { edit } = usePlayground()
  const begin = useBegin()
  const isEdited = usePage(({ edits }) => edits[offer.id]?.used !== undefined)
  const Icon = icons[offer.id] ?? BookOpenText
  return (
    <li className="offer">
      <div className="offer-head">
        <h4>
          <Icon aria-hidden /> {offer.title} {isEdited && <span className="badge edited">edited</span>}
        </h4>
        <a
          className="icon-button"
          href={toolLink({ agent: offer.id })}
          aria-label={`Test the tools of ${offer.title}`}
          title="Test tools"
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
            <button type="button" onClick={() => begin(offer, prompt)}>
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </li>
  )
}
