export { type AnyEvent, isKept, type LiveEvent, type SendingMessage } from '../event.ts'
export type { ModelRequest } from '../host.ts'
export type { RunFile } from '../journal/runFile.ts'
export { type Observer, observe, observer } from '../log/observe.ts'
export { type EventsOptions, eventsOf } from '../log/runEvents.ts'
export type { Permission } from '../permission.ts'
export type { FoundSecret } from '../redact/marks.ts'
export type { RedactOptions } from '../redact/redact.ts'
export { type Redacted, redact, redacting, redactingJournal } from '../redact/redact.ts'
export type { EventOf } from '../run.ts'
export { type Advice, adviceOf } from './adviceOf.ts'
export type {
  CallMessage,
  CallOf,
  ChatMessage,
  PartialOf,
  QuestionMessage,
  SettledMessage,
  TextMessage,
  ToolNames,
  UserMessage,
} from './chatMessage.ts'
export { fold, openCalls, reduce } from './fold.ts'
export { messagesOf } from './messagesOf.ts'
export { partialOutput } from './partialOutput.ts'
export { type PastRunOptions, pastRun, requestAt, staticRun } from './pastRun.ts'
export { type Recorder, type Replay, recorder, replay } from './recorder.ts'
export type { RunAsk } from './runAsk.ts'
export { type ScratchpadEntry, scratchpad } from './scratchpad.ts'
export { type FailureSentences, failureSentences, userMessageOf } from './userMessage.ts'
