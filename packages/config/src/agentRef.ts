import type { Agent } from '@interleave/core'
import { z } from 'zod'
import { nameIn } from './named.ts'
import { toldElsewhere } from './toProblems.ts'

export interface AgentRefs {
  readonly names: readonly string[]
  /** The agents that wait for the ones they refer to, outermost first. */
  readonly making: readonly string[]
  /** Creates the agent if necessary; undefined if it has mistakes, which are reported there. */
  agentOf(name: string): Agent | undefined
}

/** Far more than would work: agents may be asked four deep. */
const maxChain = 50

/** A schema for the name of an agent. It gives the agent. */
export function agentRef({ names, making, agentOf }: AgentRefs): z.ZodType<Agent> {
  const refused = (name: string): string | undefined => {
    if (making.includes(name)) {
      const ring = [...making.slice(making.indexOf(name)), name].join(' → ')
      return `Agents cannot refer to each other in a ring: ${ring}.`
    }
    return making.length < maxChain ? undefined : `More than ${maxChain} agents refer to each other in a row.`
  }
  return nameIn({ from: 'agents', hasOwn: true }, names).transform((name, { issues }) => {
    const message = refused(name)
    const found = message === undefined ? agentOf(name) : undefined
    if (found) return found
    issues.push({ code: 'custom', message: message ?? '', input: name, ...(!message && { params: toldElsewhere }) })
    return z.NEVER
  })
}
