import type { Run } from '@interleave/core'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage } from '../run/usePlayground.ts'
import { pastConversation } from './pastConversation.ts'

/** The run of a conversation as the page shows it: as it is or, while time is travelled in it, as it was. */
export const useShownRun = (conversation: Conversation): Run =>
  usePage(({ shown, travelledTo }) =>
    travelledTo === undefined || conversation.past || conversation.run.id !== shown
      ? conversation.run
      : pastConversation(conversation, travelledTo).run,
  )
