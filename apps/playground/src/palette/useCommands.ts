import type { RunSummary } from '@interleave/core/journal'
import { useEffect, useState } from 'react'
import type { Command } from '../commands/Command.ts'
import { commands } from '../commands/index.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { agentCommands } from './agentCommands.ts'
import { openRunCommands } from './openRunCommands.ts'
import { toolCommands } from './toolCommands.ts'

/** How many kept runs the palette knows. */
const most = 300

/** Every command that makes sense now. Those of kept runs join once they are read. */
export function useCommands(): readonly Command[] {
  const { browse } = usePlayground()
  const page = usePage((state) => state)
  const [kept, tell] = useState<readonly RunSummary[]>([])

  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<void> => {
      const runs = await (await browse()).list({ limit: most })
      if (isWanted) tell(runs)
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
