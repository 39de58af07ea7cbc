import { useServer } from '../remote/useServer.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { isServed } from '../workers/Place.ts'

/** Returns whether the page can end what executes a run. A server says so of itself. */
export function useCanKill(conversation: Pick<Conversation, 'run' | 'place'>): boolean {
  const server = useServer(conversation)
  return server ? server.type === 'there' && server.canKill : !isServed(conversation.place)
}
