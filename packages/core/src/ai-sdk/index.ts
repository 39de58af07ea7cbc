export type { AskData, ChatData, ChatMessage, ChatMetadata } from './chatMessage.ts'
export { toUIMessages } from './toUIMessages.ts'
export { uiMessageChunks } from './uiMessageChunks.ts'
