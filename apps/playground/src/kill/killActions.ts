import type { StoreApi } from 'zustand/vanilla'
import type { Kept } from '../kept/Kept.ts'
import type { News } from '../kept/News.ts'
import type { HeldRuns } from '../run/heldRuns.ts'
import type { Conversation, PlaygroundState } from '../run/PlaygroundState.ts'
import { toMarked } from '../shell/Marks.ts'
import { shellActions } from '../shell/shellActions.ts'
import { isServed } from '../workers/Place.ts'
import type { Kill } from './Kill.ts'

export interface KillSetting {
  readonly store: StoreApi<PlaygroundState>
  readonly keep: () => Promise<Kept>
  readonly held: HeldRuns
  readonly open: (runId: string) => Promise<void>
  readonly tell: (news: News) => void
  readonly now: () => number
}

export interface KillActions {
  /** Ends what executes a run, in whichever tab. Tabs that are left open the run again. */
  kill(runId: string): Promise<void>
  /** Does what another tab asks for. */
  follow(runId: string, kill: Kill): Promise<void>
}

/** Ends pages and workers in the middle of a run. */
export function killActions({ store, keep, held, open, tell, now }: KillSetting): KillActions {
  const mark = (runId: string, kill: Kill): void =>
    store.setState(({ marks }) => ({ marks: toMarked(marks, runId, { kill }) }))

  const revive = async (conversation: Conversation): Promise<void> => {
    await untilGone(conversation)
    held.release(conversation)
    await open(conversation.run.id)
  }

  return {
    async kill(runId) {
      const [conversation] = held.open([runId])
      if (!conversation || isServed(conversation.place)) return
      if ((await keep()).isFleeting) return shellActions(store).notify(fleeting)
      const kill = { at: now(), seq: conversation.log.events.at(-1)?.seq ?? 0 }
      mark(runId, kill)
      tell({ type: 'killed', runId, kill })
      if (conversation.place !== 'sharedWorker' && isElsewhere(conversation)) return
      conversation.kill()
      if (conversation.place !== 'page') await revive(conversation)
    },
    async follow(runId, kill) {
      mark(runId, kill)
      const [conversation] = held.open([runId])
      if (!conversation || isServed(conversation.place)) return
      if (conversation.place === 'sharedWorker') return revive(conversation)
      if (isElsewhere(conversation)) return
      conversation.kill()
      if (conversation.place !== 'page') await revive(conversation)
    },
  }
}

const fleeting = {
  id: 'kill',
  tone: 'bad',
  words: 'This browser stores nothing for the page, so a run that is killed here would be lost.',
} as const

const isElsewhere = ({ run }: Conversation): boolean => run.owner === 'elsewhere'

/** Resolves when the page knows that the worker of a run is gone. */
const untilGone = ({ run }: Conversation): Promise<void> =>
  new Promise((resolve) => {
    const isGone = (): boolean => {
      const { rest } = run.state
      return rest?.type === 'failed' && rest.error.code === 'worker_failed'
    }
    if (isGone()) return resolve()
    const leave = run.subscribe(() => {
      if (!isGone()) return
      leave()
      resolve()
    })
  })
