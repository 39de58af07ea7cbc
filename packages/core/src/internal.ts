export {
  checkArgument,
  checkEvents,
  checkHandle,
  checkModel,
  checkOptions,
  checkRun,
  checkRunState,
  checkStore,
  DEV,
} from '#checks'
/** Names that the other packages of Interleave use. They may change in any release. */

export { withBackend } from './agent.ts'
export type { ReasonActOptions } from './agents/reasonAct.ts'
export { keptFor, keptHere, workingRun } from './alive.ts'
export { copyInput } from './calls/copyInput.ts'
export { clockOf } from './calls/executeTool.ts'
export type { FinalAnswerOptions } from './capabilities/answer/finalAnswer.ts'
export { decisionBy } from './capabilities/approvals/decisionBy.ts'
export { approvalEngine } from './capabilities/approvals/engine.ts'
export { readFile } from './capabilities/file/file.ts'
export { interruptions } from './capabilities/interruptions/interruptions.ts'
export { asking, linkAddress } from './capabilities/questions/ask.ts'
export { keyOf } from './capabilities/questions/asks.ts'
export { questionEngine } from './capabilities/questions/engine.ts'
export { whileRefused } from './capabilities/questions/whileRefused.ts'
export { fold, reduce } from './changes/all.ts'
export { deferred } from './deferred.ts'
export { draftEvents, joinLive, liveEventsOf } from './draft.ts'
export { checkMessage, checkResume, stopReason } from './engine/settling.ts'
export { type ShownRun, shownRun } from './engine/shownRun.ts'
export { orStopped, yielder } from './engine/wait.ts'
export {
  type ErrorCode,
  fromFailure,
  isConflict,
  malformed,
  mayPass,
  messageOf,
  passing,
  quietly,
  readThrown,
  reportLater,
  reportRejection,
  toFailure,
} from './error.ts'
export type { ConnectionState, Delta, Owner, Said, Thought } from './event.ts'
export { hideErrors } from './history/hideErrors.ts'
export { joined } from './history/scratchpad.ts'
export { userFailure } from './history/userMessage.ts'
export { dryHosts } from './host.ts'
export { wrongMoves } from './journal/callMoves.ts'
export { denyConsent } from './journal/consent.ts'
export { putLogs } from './journal/importRun.ts'
export { type Channel, type ChannelListener, openChannel } from './journal/indexedDb/channel.ts'
export { checkAgent, journalEngine, readPast } from './journal/journalEngine.ts'
export { checkPermissions } from './journal/permissionStore.ts'
export { type CheckedFile, checkRunFile, checkWholeFile, idChange, renameRun, runFile } from './journal/runFile.ts'
export { checkList, conflict, noSummary, staleOwner, storedSummary, summarize, wholeNumber } from './journal/runList.ts'
export { decorateJournal, listedRuns, toJournalError } from './journal.ts'
export {
  asPlain,
  cached,
  canonicalJson,
  hasPrototypeKey,
  isObject,
  isPlain,
  jsonIn,
  parseJson,
  problemInData,
  sameJson,
  sameStored,
  storedJson,
  strictJson,
  toBase64,
  toJson,
} from './json.ts'
export { unlessLeaving } from './leaving.ts'
export { Feed } from './log/feed.ts'
export {
  adopt,
  bindMethods,
  durable,
  handOver,
  isOvertaken,
  type LocalFailure,
  type OpenRun,
  takeoverOf,
} from './log/openRun.ts'
export { hideReasoning } from './log/runEvents.ts'
export { messagesBefore, promptBuilder, toMessages } from './message.ts'
export { folded, nearest } from './nearest.ts'
export { assertOption, checkAboveZero, checkKey, checkRunId, checkStoredKey, isId, withDefaults } from './options.ts'
export {
  isBlank,
  messageText,
  type Part,
  plainContent,
  plainMessages,
  resultText,
  type ToolCallPart,
} from './part.ts'
export { comparedInput } from './permission.ts'
export { askId, isDeclined, topicOf } from './question.ts'
export { Queues } from './queues.ts'
export type { ForkPoint, HandleOptions, SayOptions } from './run.ts'
export { compileSchema, type JsonSchema, schemaBy } from './schema.ts'
export { failed, isOver } from './signal.ts'
export {
  append,
  hasNote,
  initialState,
  isSideCall,
  lastOf,
  latestTurn,
  noteOf,
  openCalls,
  type Pages,
  replaceLast,
} from './state.ts'
export { derivedAgent, isAgent, type Readying } from './step.ts'
export { estimatedUsage, estimateMessages, estimateText } from './steps/compact/tokens.ts'
export { asCutOff } from './steps/retry.ts'
export { defaultCaps, emptyTurn, problemMetadata, problemOf, TurnReader } from './steps/turnReader.ts'
export { type AnyTool, checkToolOptions, isElsewhere, type ToolSpec, type TurnCode } from './tool.ts'
export { readUpTo } from './tools/fetchTool.ts'
export { addUsage, noUsage } from './usage.ts'
export { applyCommand, type Command, command } from './validate/command.ts'
export { checkLive, checkLog, checkNext } from './validate/validate.ts'
