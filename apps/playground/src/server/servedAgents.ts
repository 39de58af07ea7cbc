import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import type { Payer } from '../bank/Bank.ts'
import { agentForRun } from '../run/agentForRun.ts'
import type { PageFunctions } from '../tools/showSection.ts'

export interface ServedWith {
  /** The model of all their runs. */
  readonly model: LanguageModelV4
  /** The journal of their runs. */
  readonly journal: Pick<Journal, 'read'>
  /** The bank that bookings are paid with. Without one, none is paid. */
  readonly bank?: Payer
  /** The tools that run in place of a page. Without them, a page that shows the run is asked. */
  readonly page?: PageFunctions
}

/** The agents of the page, made of the same files, as a server runs them. */
export const servedAgents = ({ model, journal, bank, page }: ServedWith): readonly Agent[] =>
  agents.map(({ file }) => agentForRun(file, { runModel: { model, priceOf }, journal, bank, page }))

const priceOf = (modelId: string) => (modelId === 'rule-based' ? { input: 0, output: 0 } : undefined)
