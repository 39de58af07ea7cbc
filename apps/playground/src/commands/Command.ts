import { errorWords } from '../parts/errorWords.ts'
import type { Playground } from '../run/Playground.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'

/** The number of latest runs that the palette shows first. */
const remembered = 6

/** Runs a command, stores it as recent, and reports its failure. */
export async function runCommand(playground: Playground, { id, title, run }: Command): Promise<void> {
  const { recentCommands } = playground.store.getState().settings
  const recent = [id, ...recentCommands.filter((other) => other !== id)].slice(0, remembered)
  if (id !== 'page.palette') playground.choose({ recentCommands: recent })
  try {
    await run(playground)
  } catch (error) {
    playground.notify({ id, tone: 'bad', words: `“${title}” did not work: ${errorWords(error)}` })
  }
}

/** An action of the page: by the palette, by a key, or by both. */
export interface Command {
  /** Never changes: recent commands are stored by it. */
  readonly id: string
  readonly group: CommandGroup
  readonly title: string
  /** Other words that one may look for it by. */
  readonly words?: string
  /** A key, as in `?` or `Mod+K`. `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys?: string
  /** True if it is listed only when the search matches it, since there may be many of its kind. */
  readonly isOnlyFound?: true
  /** Returns true if it makes sense now. */
  readonly isOffered?: (page: PlaygroundState) => boolean
  readonly run: (playground: Playground) => unknown
}

export type CommandGroup = (typeof commandGroups)[number]
/** In the order in which they are listed. */
export const commandGroups = ['This run', 'New run', 'Agents', 'Tools', 'Runs', 'Go to', 'Page'] as const
