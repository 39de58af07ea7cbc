import { AgentError, type Json, type Price } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import { stringify } from 'yaml'
import { formatProblems } from './problem.ts'
import { notPlain } from './readText.ts'

/** Agents as plain data: what a file, a form or a database holds. */
export interface Config {
  /** The address of this format's JSON Schema, for editors. */
  readonly $schema?: string
  /** The version of this format. */
  readonly interleave: 1
  /** The agents by name. They may refer to each other, but not in a cycle. */
  readonly agents: Readonly<Record<string, AgentConfig>>
}

/** One agent. Its fields are the options of `agent()`; a name stands for a value that code makes. */
export interface AgentConfig {
  readonly version?: string
  /** A string, or the name of a function that computes it for each turn. */
  readonly instructions?: string | { readonly function: string }
  /** In a list, the later ones are fallbacks. Only a delegating agent has none. */
  readonly model?: Named | readonly Named[]
  /** The names of tools, or a tool for each name. */
  readonly tools?: readonly string[] | Readonly<Record<string, Named>>
  /** The type of the answer, as JSON Schema. */
  readonly output?: JsonSchema
  readonly backend?: Named
  readonly exposeReasoning?: boolean
  /** Token prices: by model id, or the name of a function that looks them up. */
  readonly prices?: Readonly<Record<string, Price>> | string
}

/** A name, with options if it takes any: `textAnswer`, or `{ limit: { iterations: 5 } }`. */
export type Named = string | { readonly [name: string]: Json }

/** Formats a config as text. Reading it gives the same config again. */
export function formatConfig(config: Config, as: 'yaml' | 'json' = 'yaml'): string {
  checkPlain(config)
  if (as === 'json') return `${JSON.stringify(config, null, 2)}\n`
  // Quotes strings that YAML 1.1 would interpret, such as `no`: other programs read these files too.
  return stringify(config, { ...yamlStyle, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
}

/** Throws for a config that could not be read again: a function in it, or data that is too deep. */
export function checkPlain(config: Config): void {
  const problems = notPlain(config)
  if (problems.length > 0) throw new AgentError('config_invalid', formatProblems(problems))
}

/** Does not fold lines. */
export const yamlStyle = { version: '1.2', lineWidth: 0 } as const
