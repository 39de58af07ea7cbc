import type { Agent } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { scriptedModel } from '@interleave/testing'
import { useMemo } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents, type Offer } from '../agents/index.ts'
import { pageFunctions } from '../docs/pageFunctions.ts'
import { fileOf } from '../run/edits.ts'
import { usePage } from '../run/usePlayground.ts'

export interface BenchTools {
  readonly offer: Offer
  readonly tools: Agent['tools']
  /** The reason why there are none. */
  readonly trouble?: string
}

/** The tools of an agent as new runs of it have them. Made once, so that a file that was opened stays on its desk. */
export function useTools(id: string): BenchTools | undefined {
  const offer = agents.find((one) => one.id === id)
  const file = usePage(({ edits }) => offer && fileOf(offer, edits))
  return useMemo(() => offer && file !== undefined && toolsOf(offer, file), [offer, file]) || undefined
}

function toolsOf(offer: Offer, file: string): BenchTools {
  try {
    const { tools } = agentFrom(file, { model: scriptedModel(), page: pageFunctions })
    return { offer, tools: Object.fromEntries(Object.entries(tools).filter(([, { execute }]) => execute)) }
  } catch (error) {
    return { offer, tools: {}, trouble: messageOf(error) }
  }
}
