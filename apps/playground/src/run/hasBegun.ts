import type { Conversation } from './PlaygroundState.ts'

/** Whether a run is known where it works. One of which nothing came from there has no version of its agent. */
export const hasBegun = ({ log }: Pick<Conversation, 'log'>): boolean =>
  log.events.some((event) => event.type === 'started' && event.version !== '')
