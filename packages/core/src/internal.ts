/** Names that the other packages of Interleave use. They may change in any release. */
export { addPlaced } from './addPlaced.ts'
export type { ReasonActOptions } from './agents/reasonAct.ts'
export { asking } from './ask.ts'
export { keyOf } from './asks.ts'
export { checkAgent } from './checkAgent.ts'
export { checkKey, checkRunId } from './checkRunId.ts'
export { type Command, command, perform } from './command.ts'
export { complaintMetadata, complaintOf } from './complaint.ts'
export { createUnfinished } from './createUnfinished.ts'
export { draftEvents } from './draft.ts'
export {
  closed,
  type ErrorCode,
  fromFailure,
  isConflict,
  malformed,
  messageOf,
  readThrown,
  reportLater,
  toFailure,
} from './error.ts'
export type { Delta, Owner, RemoteLink, Said, Thought } from './event.ts'
export { createFeed, type Feed } from './feed.ts'
export type { ForkPlace } from './forkPlace.ts'
export { joined } from './history/scratchpad.ts'
export { isDue, type Placed } from './isDue.ts'
export { denyConsent, putLogs } from './journal/importRun.ts'
export { type Channel, type ChannelListener, openChannel } from './journal/indexedDb/channel.ts'
export { checkRunFile, checkWholeFile, idChange, renameRun, runFile } from './journal/runFile.ts'
export { conflict, noSummary, outlived, summarize } from './journal/summary.ts'
export { journalEngine } from './journalEngine.ts'
export { asPlain, canonicalJson, complaintAboutData, isObject, isPlain, parseJson, pollutes, toJson } from './json.ts'
export { toMessages } from './message.ts'
export { createMirror } from './mirror.ts'
export { defaultCaps, emptyTurn, TurnReader } from './model.ts'
export { observeOnce } from './observe.ts'
export { demand, folded, type KnownOptions, nearest, refuseUnknown } from './options.ts'
export { fileAdvice, isBlank, type Part, readFilePart, type ToolCallPart } from './part.ts'
export { plainContent, plainMessages } from './plainContent.ts'
export { readPast } from './readPast.ts'
export type { HandleOptions } from './run.ts'
export { durable, hideReasoning, keptEventsOf, type Stray, withStray } from './runEvents.ts'
export { compileSchema, type JsonSchema } from './schema.ts'
export { type ShownRun, shownRun } from './shownRun.ts'
export { failed } from './signal.ts'
export { initialState, latestTurn } from './state.ts'
export { isAgent } from './step.ts'
export { asCutOff } from './steps/cutOff.ts'
export { breather } from './steps/wait.ts'
export type { OnConfidenceOptions } from './stop/onConfidence.ts'
export type { OnFinalAnswerOptions } from './stop/onFinalAnswer.ts'
export type { AnyTool, Readying } from './tool.ts'
export { addUsage, noUsage } from './usage.ts'
export { checkLive, checkLog, checkNext } from './validate.ts'
export { isWorkedOn } from './workedOn.ts'
