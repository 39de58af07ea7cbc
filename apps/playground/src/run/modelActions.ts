import type { Failure, Price } from '@interleave/core'
import { type Connection, type Keyring, nameOfKey } from '../models/index.ts'
import type { News } from '../storage/News.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { isServed } from '../workers/Place.ts'
import type { HeldRuns } from './heldRuns.ts'
import type { OpenRun } from './openRun.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

export interface ModelActions {
  /** The run uses the model that was chosen last, from its next turn on, unless it runs in another tab. */
  connect(runId: string | undefined): Promise<void>
  /** Another tab chose another model for the run. */
  follow(runId: string): Promise<void>
}

export interface ModelSetting {
  readonly held: HeldRuns
  readonly getState: () => PlaygroundState
  readonly opening: () => Promise<{ readonly storage: PageStorage } & typeof import('./openConversation.ts')>
  readonly post: (news: News) => void
}

/** Changes what runs think with. */
export function modelActions({ held, getState, opening, post }: ModelSetting): ModelActions {
  return {
    async connect(runId = '') {
      const [before] = held.open([runId])
      const rest = before?.run.state.signal
      if (!before || worksElsewhere(before) || isServed(before.place)) return
      const { storage, reconnect } = await opening()
      held.replace(before, await reconnect(storage, before, getState(), { isUnderWay: !rest }))
      post({ type: 'reconnected', runId })
      // Retries what failed with the previous model.
      if (rest?.type === 'failed' && isOfModel(rest.error)) before.run.resume()
    },
    async follow(runId) {
      const [before] = held.open([runId])
      if (!before) return
      const { storage, followModel } = await opening()
      held.replace(before, await followModel(storage, before, getState()))
    },
  }
}

/** Another model may succeed where this failed. */
export const isOfModel = ({ code }: Failure): boolean => code.startsWith('model_') || code === 'context_full'

export const worksElsewhere = ({ run }: { readonly run: OpenRun }): boolean => run.owner === 'elsewhere'

export const priced = (connection: Connection, price: Price | undefined): Record<string, Price> =>
  price && 'modelId' in connection ? { [connection.modelId]: price } : {}

/** The key of a connection, by its name. */
export function heldKeys(connection: Connection): Keyring {
  const name = nameOfKey(connection)
  return name !== undefined && 'key' in connection && connection.key?.reveal() ? { [name]: connection.key } : {}
}
