import { BookOpenText, Calculator, ChartColumn, type LucideIcon, MapPinned } from 'lucide-react'
import type { Offer } from '../agents/index.ts'
import { agents } from '../agents/index.ts'
import { usePlayground } from '../run/usePlayground.ts'
import './welcome.css'

const icons: Readonly<Record<string, LucideIcon>> = {
  trip: MapPinned,
  calculator: Calculator,
  docs: BookOpenText,
  data: ChartColumn,
}

/** What a visitor sees first: what this is, and something to click. */
export function Welcome() {
  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">Watch an agent think, act and observe</h2>
      <p>
        Four agents with real tools, all in this page. Ask one something: it shows every{' '}
        <span className="strand thought">thought</span>, <span className="strand action">action</span> and{' '}
        <span className="strand observation">observation</span>, and asks you when it needs to.
      </p>
      <ul className="offers">
        {agents.map((offer) => (
          <OfferCard key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  )
}

function OfferCard({ offer }: { offer: Offer }) {
  const { start } = usePlayground()
  const Icon = icons[offer.id] ?? BookOpenText
  return (
    <li className="offer">
      <h3>
        <Icon aria-hidden /> {offer.title}
      </h3>
      <p>{offer.blurb}</p>
      <ul className="prompts">
        {offer.prompts.map((prompt) => (
          <li key={prompt}>
            <button type="button" onClick={() => void start(offer, prompt)}>
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </li>
  )
}
