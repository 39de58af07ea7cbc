import type { MessageView } from './messageView.ts'
import type { ChatMetadata } from './runUIMessage.ts'

/** Returns the metadata of an answer when it begins. */
export const metadataOf = ({ runId, agent }: MessageView): ChatMetadata => ({ runId, agent })

/** The events and state known so far. */
export const wholeMetadata = (view: MessageView): ChatMetadata => ({
  ...metadataOf(view),
  usage: view.usage,
  ...(view.rest && { signal: view.rest.type }),
})
