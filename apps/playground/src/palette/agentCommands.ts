import { agents } from '../agents/index.ts'
import type { Command } from '../commands/Command.ts'
import { focusOn } from '../commands/focusOn.ts'

/** For each agent: a new run, and its file. */
export const agentCommands: readonly Command[] = agents.flatMap((offer): Command[] => [
  {
    id: `agent.start.${offer.id}`,
    group: 'New run',
    title: `New run: ${offer.title}`,
    words: offer.blurb,
    run: ({ show, chooseOffer }) => {
      chooseOffer(offer)
      void show(undefined)
      focusOn('#composer')
    },
  },
  {
    id: `agent.edit.${offer.id}`,
    group: 'Agents',
    title: `Edit agent: ${offer.title}`,
    words: 'instructions tools yaml json',
    run: ({ edit }) => edit(offer),
  },
])
