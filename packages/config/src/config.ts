import type { Json, Price } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'

/** Agents as plain data: what a file, a form or a database holds. */
export interface Config {
  /** For editors: where the JSON Schema of this format is. */
  readonly $schema?: string
  /** The version of this format. */
  readonly interleave: 1
  /** By name. They may refer to each other, but not in a ring. */
  readonly agents: Readonly<Record<string, AgentConfig>>
}

/** One agent. Its fields are the options of `agent()`; what code makes with a function is written as its name. */
export interface AgentConfig {
  readonly version?: string
  /** A string, or the name of a function that computes it for each turn. */
  readonly instructions?: string | { readonly function: string }
  /** In a list, the later ones are fallbacks. Only a delegating agent has none. */
  readonly model?: Named | readonly Named[]
  /** Names, or what each name stands for. */
  readonly tools?: readonly string[] | Readonly<Record<string, Named>>
  /** The type of the answer, as JSON Schema. */
  readonly output?: JsonSchema
  readonly backend?: Named
  readonly exposeReasoning?: boolean
  /** Token prices: by model id, or the name of a function that looks them up. */
  readonly prices?: Readonly<Record<string, Price>> | string
}

/**
 * Something by its name, with options if it takes any: `onText` is `onText()`, and `{ limit: { iterations: 5 } }` is
 * `limit({ iterations: 5 })`.
 */
export type Named = string | { readonly [name: string]: Json }
