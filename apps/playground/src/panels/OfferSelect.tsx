import { agents } from '../agents/index.ts'
import { AgentOptions } from '../parts/AgentOptions.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'

/** Chooses the agent of the next run. */
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
      <AgentOptions />
    </select>
  )
}
