import type { Conversation } from './PlaygroundState.ts'

/** Returns true if the host of a run knows it. A run of which no event has arrived has no agent version. */
export const hasBegun = ({ log }: Pick<Conversation, 'log'>): boolean =>
  log.events.some((event) => event.type === 'started' && event.version !== '')
