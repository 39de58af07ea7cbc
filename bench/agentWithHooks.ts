// What an app loads that has an agent and shows its runs by the hooks, for the size limits.

export { agent, tool } from '@interleave/core'
export {
  ReActProvider,
  useAsk,
  useAsks,
  useDraft,
  useMessages,
  useOwner,
  useReAct,
  useRun,
  useRunEvent,
  useRuns,
  useScratchpad,
  useSignal,
  useStatus,
  useUsage,
} from '@interleave/react'
