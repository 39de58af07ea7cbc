import type { RunSummary } from '@interleave/core/journal'
import { useEffect, useState } from 'react'
import { agents } from '../agents/index.ts'
import { toolLink } from '../bench/toolLink.ts'
import type { Command } from '../commands/Command.ts'
import { commands } from '../commands/listenForKeys.ts'
import { originalFirst } from '../compare/originalFirst.ts'
import { focusOn } from '../parts/focus.ts'
import { own } from '../parts/objects.ts'
import { type Edits, fileOf } from '../run/edits.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'

/** The number of stored runs that the palette knows. */
const most = 300

/** Returns every command that makes sense now. Those of stored runs follow once they are read. */
export function useCommands(): readonly Command[] {
  const { browse } = usePlayground()
  const page = usePage((state) => state)
  const [kept, setKept] = useState<readonly RunSummary[]>([])

  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<void> => {
      const runs = await (await browse()).list({ limit: most })
      if (isWanted) setKept(runs)
    }
    // The list itself says when it cannot be read.
    read().catch(() => {})
    return () => {
      isWanted = false
    }
  }, [browse])

  const offered = commands.filter(({ id, isOffered }) => id !== 'page.palette' && (isOffered?.(page) ?? true))
  return [...offered, ...agentCommands, ...toolCommands(page.edits), ...openRunCommands(page, kept)]
}

/** For each agent: a new run, and its file. */
const agentCommands: readonly Command[] = agents.flatMap((offer): Command[] => [
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

/** For each run, open or kept: the way to it, and the comparison with the one that is shown. */
function openRunCommands(
  { conversations, marks, shown }: PlaygroundState,
  kept: readonly RunSummary[],
): readonly Command[] {
  const titles = new Map([
    ...conversations.map(({ run, title }) => [run.id, title] as const),
    ...kept.filter(({ parent }) => !parent).map(({ runId, title }) => [runId, title] as const),
  ])
  return [...titles].flatMap(([runId, said]) => {
    const title = own(marks, runId)?.name ?? (said || 'Untitled')
    return [
      { id: `run.show.${runId}`, group: 'Runs', title, words: 'open run', run: ({ show }) => show(runId) },
      ...(shown === undefined || shown === runId ? [] : [compareCommand(shown, { runId, title })]),
    ] satisfies Command[]
  })
}

const compareCommand = (shown: string, { runId, title }: { runId: string; title: string }): Command => ({
  id: `run.compare.${runId}`,
  group: 'This run',
  title: `Compare with: ${title}`,
  words: 'side by side difference',
  isOnlyFound: true,
  run: ({ compare, store }) => compare(originalFirst(store.getState(), { a: shown, b: runId })),
})

/** For each agent: its tools, to try alone. */
const toolCommands = (edits: Edits): readonly Command[] =>
  agents.flatMap((offer) =>
    toolNames(fileOf(offer, edits)).map(
      (tool): Command => ({
        id: `tool.${offer.id}.${tool}`,
        group: 'Tools',
        title: `Test a tool: ${tool}`,
        words: `${offer.title} bench call`,
        run: () => {
          location.hash = toolLink({ agent: offer.id, tool })
        },
      }),
    ),
  )

/** The names in the list of tools of a file. The bench itself reads the file whole. */
const toolNames = (file: string): readonly string[] =>
  /^[ \t]*tools:\s*\[([^[\]]*)\]/m
    .exec(file)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'askUser') ?? []
