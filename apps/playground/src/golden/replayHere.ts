import { keyValuePermissionStore } from '@interleave/core/journal'
import { type ReplayedRun, replayRun } from '@interleave/testing'
import { agentFrom } from '../agents/agentFrom.ts'
import { pageFunctions } from '../docs/pageFunctions.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'

export interface ReplayHere extends Pick<Conversation, 'log' | 'runModel'> {
  readonly agentFile: string
  readonly signal: AbortSignal
}

/** Replays a run with the agent of a file. What is allowed for good in it goes into a store of its own. */
export function replayHere(runFile: unknown, { agentFile, log, runModel, signal }: ReplayHere): Promise<ReplayedRun> {
  const permissions = keyValuePermissionStore(new Map(), { user: 'replay' })
  const file = uploadedFile(log.events)
  const agent = agentFrom(agentFile, { ...runModel, page: pageFunctions, permissions, file })
  return replayRun(runFile, { agent, signal })
}
