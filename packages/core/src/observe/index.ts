export { type AnyEvent, isKept, type LiveEvent } from '../event.ts'
export type { ModelRequest } from '../host.ts'
export { openCalls } from '../openCalls.ts'
export type { FoundSecret } from '../redact/marks.ts'
export type { RedactOptions } from '../redact/RedactOptions.ts'
export { type Redacted, redact } from '../redact/redact.ts'
export { redacting } from '../redact/redacting.ts'
export { redactingJournal } from '../redact/redactingJournal.ts'
export { fold, reduce } from '../reduce.ts'
export type { EventOf } from '../run.ts'
export type { RunFile } from '../runFile.ts'
export { adviceOf } from './adviceOf.ts'
export type {
  CallMessage,
  ChatMessage,
  QuestionMessage,
  RestMessage,
  TextMessage,
  UserMessage,
} from './chatMessage.ts'
export { messagesOf } from './messagesOf.ts'
export { type PastRunOptions, pastRun } from './pastRun.ts'
export { type Recorder, recorder } from './recorder.ts'
export { type Replay, replay } from './replay.ts'
export { requestAt } from './requestAt.ts'
export { stillRun } from './stillRun.ts'
