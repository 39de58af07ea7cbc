import type { RunSummary } from '@interleave/core/journal'
import type { Command } from '../commands/Command.ts'
import { originalFirst } from '../compare/originalFirst.ts'
import { own } from '../parts/own.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'

/** For each run, open or kept: the way to it, and the comparison with the one that is shown. */
export function openRunCommands(
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
