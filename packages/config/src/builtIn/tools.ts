import type { Agent } from '@interleave/core'
import { askUser, type BundleOptions, bundle, type FetchToolOptions, fetchTool } from '@interleave/core'
import { type AgentToolOptions, agentTool } from '@interleave/core/agents'
import type { AnyTool } from '@interleave/core/internal'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { jsonSchema } from '../jsonSchema.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'
import { functionOf } from '../textOr.ts'
import { toolSet } from '../toolSet.ts'

const askUserOptions = optionsOf<{ description?: string }>({ description: z.string().optional() })

type DeclaredAgentTool = Omit<AgentToolOptions<unknown>, 'observers'> & { agent: Agent }
type Policy = Exclude<AgentToolOptions<unknown>['approve'], string | undefined>

const agentToolOptions = (refs: Refs): z.ZodType<DeclaredAgentTool> =>
  optionsOf<DeclaredAgentTool>({
    agent: refs.agent,
    description: z.string().min(1),
    inputSchema: jsonSchema.optional(),
    toMessage: refs.fn<AgentToolOptions<unknown>['toMessage']>().optional(),
    maxDepth: z.int().min(1).optional(),
    approve: z.union([z.enum(['always', 'never']), functionOf<Policy>(refs)]).optional(),
  })

const bundleOptions = (refs: Refs): z.ZodType<BundleOptions> =>
  optionsOf<BundleOptions>({ description: z.string(), tools: toolSet(refs) })

/** Keys belong in code, and so does what makes the requests. */
type DeclaredFetch = Omit<FetchToolOptions, 'headers' | 'fetch' | 'approve'> & { approve?: 'always' | 'never' }

const fetchOptions = ({ fn }: Refs): z.ZodType<DeclaredFetch> =>
  optionsOf<DeclaredFetch>({
    allow: z.union([z.literal('public'), z.array(z.string()).min(1)]),
    resolve: fn<NonNullable<FetchToolOptions['resolve']>>().optional(),
    maxBytes: z.int().min(1).optional(),
    timeoutMs: z.int().min(1).optional(),
    description: z.string().optional(),
    approve: z.enum(['always', 'never']).optional(),
  })

/** The tools of this package. */
export const tools: Readonly<Record<string, Factory<AnyTool | object>>> = {
  askUser: declared(askUserOptions, askUser),
  bundle: declared(bundleOptions, bundle),
  fetchTool: declared(fetchOptions, fetchTool),
  agentTool: declared(agentToolOptions, ({ agent, ...options }) => agentTool(agent, options)),
}
