import type { Json, Price } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import { stringify } from 'yaml'

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

/** A name, with options if it takes any: `onText`, or `{ limit: { iterations: 5 } }`. */
export type Named = string | { readonly [name: string]: Json }

/** A config as text. Reading it gives the same config again. */
export function formatConfig(config: Config, as: 'yaml' | 'json' = 'yaml'): string {
  if (as === 'json') return `${JSON.stringify(config, null, 2)}\n`
  // Quotes what YAML 1.1 would take for something else, such as `no`: other programs read these files too.
  return stringify(config, { ...yamlStyle, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
}

/** Lines are left as they are. */
export const yamlStyle = { version: '1.2', lineWidth: 0 } as const
