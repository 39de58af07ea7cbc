import type { Playground } from '../run/Playground.ts'
import type { Conversation } from '../run/PlaygroundState.ts'

export interface FaultyTurn {
  readonly conversation: Conversation
  /** The `seq` of the event after which the turn is taken again. */
  readonly at: number
  /** The file of the agent that takes it. */
  readonly file: string
}

/** Takes a turn again in a fork, and shows both runs side by side: the original first. */
export async function forkAndCompare(
  { fork, compare, store }: Playground,
  { conversation, at, file }: FaultyTurn,
): Promise<void> {
  const { id } = conversation.run
  await fork({ ...conversation, file }, { at })
  const { shown, trouble } = store.getState()
  if (trouble === undefined && shown !== undefined && shown !== id) compare({ a: id, b: shown })
}
