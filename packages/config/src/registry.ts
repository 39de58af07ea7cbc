import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step, ToolSet } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import { assertOption } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import { builtIn } from './builtIn/builtIn.ts'
import { declared, type Factory, noOptions } from './schemas.ts'

export interface RegistryOptions {
  models?: Readonly<Record<string, LanguageModelV4>>
  tools?: ToolSet
  /** Steps of your own: of `declared()`, or plain functions if they take no options. */
  steps?: Readonly<Record<string, Factory<Step> | (() => Step)>>
  /** Agents that are written in code, or were loaded before. */
  agents?: Readonly<Record<string, Agent>>
  /** Strategies that shorten a history, for `compact`. */
  strategies?: Readonly<Record<string, CompactionStrategy>>
  /** Memories, for `remember`. */
  memories?: Readonly<Record<string, Memory>>
  /** External agents, for `delegate`. */
  externals?: Readonly<Record<string, ExternalAgent>>
  /** Named functions for options that are functions in code, such as a guard's check. */
  functions?: Readonly<Record<string, AnyFunction>>
}

/** A function as the value of an option. */
export type AnyFunction = (...args: never[]) => unknown

/** The meaning of the names in a config. */
export interface Registry {
  readonly models: Readonly<Record<string, LanguageModelV4>>
  readonly tools: ToolSet
  readonly steps: Readonly<Record<string, Factory<Step>>>
  readonly agents: Readonly<Record<string, Agent>>
  readonly strategies: Readonly<Record<string, CompactionStrategy>>
  readonly memories: Readonly<Record<string, Memory>>
  readonly externals: Readonly<Record<string, ExternalAgent>>
  readonly functions: Readonly<Record<string, AnyFunction>>
}

/**
 * Defines the names in a config: your models, tools, steps, agents and functions. The steps of this package have their
 * own names.
 */
export function registry(options: RegistryOptions = {}): Registry {
  const { steps = {}, ...given } = options
  for (const [kind, known] of Object.entries(options)) checkNames(kind, known)
  const own = Object.entries(steps).map(([name, step]) => [name, toFactory(name, step)] as const)
  return Object.freeze({ ...none, ...given, steps: Object.freeze(Object.fromEntries(own)) })
}

const none = { models: {}, tools: {}, agents: {}, strategies: {}, memories: {}, externals: {}, functions: {} }

function checkNames(kind: string, known: object): void {
  const taken: object = { ...builtIn, agents: {}, functions: {} }[kind as keyof RegistryOptions]
  const kinds = Object.keys(none).join(', ')
  assertOption(taken, `The registry has ${kind}, which is none of: ${kinds}, steps.`)
  for (const name of Object.keys(known)) {
    assertOption(
      !Object.hasOwn(taken, name),
      `The registry has ${kind} with a "${name}" of its own. Choose another name.`,
    )
  }
}

function toFactory(name: string, step: Factory<Step> | (() => Step)): Factory<Step> {
  const { options, make } = typeof step === 'function' ? declared(noOptions, step) : step
  assertOption(
    typeof make === 'function',
    `The step "${name}" of the registry is neither a function nor declared(). Use declared(schema, make).`,
  )
  const makeStep = (given: unknown): Step => {
    const made: unknown = make(given)
    assertOption(
      typeof made === 'function',
      `"${name}" of the registry makes no step. Give a function that returns one.`,
    )
    return made as Step
  }
  return Object.freeze({ options, make: makeStep })
}
