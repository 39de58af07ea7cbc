import { useServer } from '../remote/useServer.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { isServed } from '../workers/Place.ts'
import { guided } from './guided.ts'

/** Returns whether the tools of a run pay with a bank: that of this browser, or that of a server which says it has one. */
export function useHasLedger(conversation: Conversation): boolean {
  const server = useServer(conversation)
  if (conversation.offer.id !== guided.offer.id) return false
  return server ? server.type === 'there' && server.hasLedger : !isServed(conversation.place)
}
