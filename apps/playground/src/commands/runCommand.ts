import { messageOf } from '@interleave/core/internal'
import type { Playground } from '../run/Playground.ts'
import type { Command } from './Command.ts'

/** The number of latest runs that the palette shows first. */
const remembered = 6

/** Does what a command says, remembers that it was used, and tells when it fails. */
export async function runCommand(playground: Playground, { id, title, run }: Command): Promise<void> {
  const { recentCommands } = playground.store.getState().settings
  const recent = [id, ...recentCommands.filter((other) => other !== id)].slice(0, remembered)
  if (id !== 'page.palette') playground.choose({ recentCommands: recent })
  try {
    await run(playground)
  } catch (error) {
    playground.notify({ id, tone: 'bad', words: `“${title}” did not work: ${messageOf(error)}` })
  }
}
