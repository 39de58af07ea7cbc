import { agents } from '../agents/index.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'

/** Which agent the next run is of. */
export function OfferSelect() {
  const { chooseOffer } = usePlayground()
  const chosen = usePage((page) => page.offer)
  return (
    <select
      aria-label="Agent"
      value={chosen.id}
      onChange={({ target }) => {
        const offer = agents.find(({ id }) => id === target.value)
        if (offer) chooseOffer(offer)
      }}
    >
      {agents.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}
