import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import { agentForRun } from '../run/agentForRun.ts'

export interface ServedWith {
  /** What thinks in all of their runs. */
  readonly model: LanguageModelV4
  /** Where their runs are kept. */
  readonly journal: Pick<Journal, 'read'>
}

/** The agents of the page, made of the same files, as a server runs them. */
export const servedAgents = ({ model, journal }: ServedWith): readonly Agent[] =>
  agents.map(({ file }) => agentForRun(file, { mind: { model, priceOf }, journal }))

const priceOf = (modelId: string) => (modelId === 'rule-based' ? { input: 0, output: 0 } : undefined)
