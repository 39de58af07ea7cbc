import { ChatClient, clientTools, fetchServerSentEvents, localStoragePersistence } from '@tanstack/ai-client'
import { call, pay } from '../../crash/programs/call.ts'
import { told } from '../../crash/programs/toldByAddress.ts'
import { payTool } from './tanstackTool.ts'

/** A chat whose tool is executed in the page, and whose messages are stored there, as the guides to both have it. */
const client = new ChatClient({
  threadId: told.run,
  connection: fetchServerSentEvents(told.store),
  persistence: localStoragePersistence(),
  // The key is the call's.
  tools: clientTools(payTool.client(({ amount }, context) => pay(told, amount, `${context?.toolCallId}`))),
  onLoadingChange: (isLoading) => {
    if (!isLoading) queueMicrotask(look)
  },
})
const isNew = client.getMessages().length === 0
let hasAskedAgain = false

/** A user who finds no answer after a crash asks for it again. */
function look(): void {
  const messages = client.getMessages()
  if (client.getIsLoading()) return
  if (messages.at(-1)?.role === 'assistant' && messages.at(-1)?.parts.at(-1)?.type === 'text') {
    const parts = messages.flatMap((message) => message.parts)
    const amounts = parts.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.arguments).amount] : []))
    void call(told, '/done', { amounts })
  } else if (!isNew && !hasAskedAgain) {
    hasAskedAgain = true
    void client.reload()
  }
}

// Joins an answer that is under way.
client.attach()
if (isNew) await client.sendMessage(told.run)
else look()
