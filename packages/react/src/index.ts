'use client'

export type { CallMessage, CallOf, ChatMessage, PartialOf } from '@interleave/core/observe'
export { useFailureWords } from './failureWords.ts'
export type { Fields } from './fields.ts'
export { FilePicker, type FilePickerProps } from './files/FilePicker.tsx'
export { type Files, type UseFilesOptions, useFiles } from './files/useFiles.ts'
export type { Frame } from './frames.ts'
export type { Controls, Reply } from './HeldRun.ts'
export type { AskComponents, AskProps } from './outlet/AskForm.tsx'
export { type EditedInput, InputEditor, type InputEditorProps } from './outlet/InputEditor.tsx'
export { PermissionList, type PermissionListProps } from './outlet/PermissionList.tsx'
export { SignalOutlet, type SignalOutletProps } from './outlet/SignalOutlet.tsx'
export { ReActProvider, type ReActProviderProps, type StartDefaults } from './ReActProvider.tsx'
export { createRunStore, type RunOwner, type RunStore, type RunStoreOptions } from './RunStore.ts'
export {
  type Draft,
  type IterationUsage,
  type RunStatus,
  type RunUsage,
  useAsks,
  useDraft,
  useMessages,
  useScratchpad,
  useSignal,
  useStatus,
  useUsage,
} from './selections.ts'
export { MessageQueue, type MessageQueueProps } from './transcript/MessageQueue.tsx'
export { ToolCall, type ToolCallProps, type ToolCardProps, type ToolCards } from './transcript/ToolCard.tsx'
export {
  type MessageComponents,
  SendingNote,
  type SendingNoteProps,
  Transcript,
  type TranscriptProps,
} from './transcript/Transcript.tsx'
export { UntrustedText, type UntrustedTextProps } from './untrusted/UntrustedText.tsx'
export { type CurrentAsk, useAsk } from './useAsk.ts'
export {
  type Permissions,
  type PersistentPermissions,
  usePermissions,
  usePersistentPermissions,
} from './usePermissions.ts'
export { type Queue, type QueuedMessage, useQueue } from './useQueue.ts'
export { type ReAct, type SentState, type UseReActOptions, useReAct } from './useReAct.ts'
export { useConnection, useOwner, useRun, useRunEvent } from './useRun.ts'
export { type Runs, useRuns } from './useRuns.ts'
export { Announcer, type AnnouncerProps } from './voice/Announcer.tsx'
export { en } from './words/en.ts'
export type { Plural, WordKey, Words } from './words/words.tsx'
