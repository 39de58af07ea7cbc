import type { Price } from '@interleave/core'
import type { Kept } from '../kept/Kept.ts'
import type { News } from '../kept/News.ts'
import type { Connection } from '../models/index.ts'
import { isServed } from '../workers/Place.ts'
import type { HeldRuns } from './heldRuns.ts'
import type { OpenRun } from './openRun.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

export interface ModelActions {
  /** The run thinks with the model that was chosen last, if it rests and does not work in another tab. */
  connect(runId: string | undefined): Promise<void>
  /** Another tab chose another model for the run. */
  follow(runId: string): Promise<void>
}

export interface ModelSetting {
  readonly held: HeldRuns
  readonly getState: () => PlaygroundState
  readonly opening: () => Promise<{ readonly kept: Kept } & typeof import('./openConversation.ts')>
  readonly tell: (news: News) => void
}

/** Changes what runs think with. */
export function modelActions({ held, getState, opening, tell }: ModelSetting): ModelActions {
  return {
    async connect(runId = '') {
      const [before] = held.open([runId])
      const rest = before?.run.state.rest
      if (!before || !rest || worksElsewhere(before) || isServed(before.place)) return
      const { kept, reconnect } = await opening()
      held.replace(before, await reconnect(kept, before, getState()))
      tell({ type: 'reconnected', runId })
      // What failed with the one before is tried again at once.
      if (rest.type === 'failed' && rest.error.code.startsWith('model_')) before.run.resume()
    },
    async follow(runId) {
      const [before] = held.open([runId])
      if (!before) return
      const { kept, followModel } = await opening()
      held.replace(before, await followModel(kept, before, getState()))
    },
  }
}

export const worksElsewhere = ({ run }: { readonly run: OpenRun }): boolean => run.owner === 'elsewhere'

export const priced = (connection: Connection, price: Price | undefined): Record<string, Price> =>
  price && connection.type !== 'demo' ? { [connection.modelId]: price } : {}
