import { CommandQueue, type ToolCall } from '@interleave/connect/internal'
import { type Host, isAgentError, type Run } from '@interleave/core'
import { keptEventsOf, toFailure } from '@interleave/core/internal'
import { checkPageCommand } from './asked.ts'
import type { Borrowing } from './borrowPages.ts'
import type { Inbox } from './createInbox.ts'
import type { Segment } from './createSegment.ts'
import type { Open } from './inboxObject.ts'
import { isBegunBy, taken } from './openRun.ts'
import { pause } from './within.ts'

export interface Obeying {
  /** The run was begun here. */
  readonly isNew: boolean
  readonly inbox: Inbox
  readonly borrowing: Borrowing
  readonly segment: Segment
  readonly host: Pick<Host, 'timer'>
}

/** Does each command once, one after the other, and tells what came of it. */
export function commandsOf(
  run: Run,
  { inbox, segment, host, isNew, borrowing }: Obeying,
): (commands: readonly Open[]) => Promise<void> {
  const queue = new CommandQueue(() => keptEventsOf(run))
  const known = new Map<string, Promise<void>>()
  const carryOut = async ({ id, command }: Open): Promise<ToolCall | undefined> => {
    switch (command.type) {
      case 'start':
        if (!isBegunBy(command, keptEventsOf(run))) throw taken(run.id)
        // Who is told that it has begun does not ask again.
        if (isNew) await segment.untilKept(1)
        return undefined
      case 'lend':
        checkPageCommand(command)
        return borrowing.lend(run, { id, call: command.call, tool: command.tool })
      case 'performed':
        checkPageCommand(command)
        borrowing.performed(command)
        return undefined
      case 'reply':
        await untilWaits(run, { segment, ask: command.ask, host })
    }
    await queue.applyCommand(run, command)
    return undefined
  }
  const obey = async (open: Open): Promise<void> => {
    const { id, command } = open
    try {
      const toolCall = await carryOut(open)
      await inbox.done(id, { length: run.state.seq, ...(toolCall && { toolCall }) })
    } catch (error) {
      // It is not done: whoever goes on with the run does it.
      const isLost = isAgentError(error) && error.code.startsWith('journal_')
      if (command.type !== 'start' && (isLost || (await segment.isOutlived()))) throw error
      await inbox.done(id, { failure: toFailure(error, 'step_failed') })
    }
  }
  return async (commands) => {
    for (const command of commands) {
      const doing = known.get(command.id) ?? obey(command)
      known.set(command.id, doing)
    }
    await Promise.all(commands.map(({ id }) => known.get(id)))
  }
}

interface Waiting extends Pick<Obeying, 'segment' | 'host'> {
  readonly ask: string
}

/** Waits for the tool to ask again in a run that has just resumed. The tool can validate the reply best. */
async function untilWaits(run: Run, { segment, ask, host }: Waiting): Promise<void> {
  const isOfCall = run.state.asks.some(({ id, call }) => id === ask && call !== undefined)
  for (let left = 200; isOfCall && left > 0 && !segment.waits(ask); left--) {
    await pause(5, host)
  }
}
