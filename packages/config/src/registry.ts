import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step, ToolSet } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import { assertOption, checkOptions, isObject } from '@interleave/core/internal'
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
export interface Registry extends Readonly<Required<Omit<RegistryOptions, 'steps'>>> {
  readonly steps: Readonly<Record<string, Factory<Step>>>
}

const kinds = ['models', 'tools', 'steps', 'agents', 'strategies', 'memories', 'externals', 'functions'] as const

/** Defines the names in a config: your models, tools, steps, agents and functions, next to those of Interleave. */
export function registry(options: RegistryOptions = {}): Registry {
  checkOptions('registry()', options, kinds)
  for (const [kind, known] of Object.entries(options)) checkNames(kind as keyof RegistryOptions, known ?? {})
  const { steps = {}, models = {}, tools = {}, agents = {}, strategies = {} } = options
  const { memories = {}, externals = {}, functions = {} } = options
  const own = Object.entries(steps).map(([name, step]) => [name, toFactory(name, step)] as const)
  const others = { models, tools, agents, strategies, memories, externals, functions }
  return Object.freeze({ ...others, steps: Object.freeze(Object.fromEntries(own)) })
}

/** Throws if this is not made by `registry()`. `owner` is the caller, such as `loadAgents()`. */
export function checkRegistry(given: unknown, owner: string): void {
  const isMade = kinds.every((kind) => isObject(Object(given)[kind]))
  assertOption(isMade, `${owner} needs a registry: registry({ models, tools }).`)
}

function checkNames(kind: keyof RegistryOptions, known: object): void {
  const taken: object = { ...builtIn, agents: {}, functions: {} }[kind]
  for (const [name, value] of Object.entries(known)) {
    assertOption(
      !Object.hasOwn(taken, name),
      `The registry has ${kind} with a "${name}" of its own. Choose another name.`,
    )
    const wanted = kind === 'functions' ? 'function' : 'value'
    const isGiven = wanted === 'function' ? typeof value === wanted : value !== undefined && value !== null
    assertOption(isGiven, `The \`${kind}\` of registry() have no ${wanted} for "${name}". Give one, or omit the name.`)
  }
}

function toFactory(name: string, step: Factory<Step> | (() => Step)): Factory<Step> {
  const { options, make } = typeof step === 'function' ? declared(noOptions, step) : (Object(step) as Factory<Step>)
  assertOption(
    typeof make === 'function',
    `The step "${name}" of the registry is neither a function nor declared(). Use declared(schema, make).`,
  )
  const makeStep = (given: unknown): Step => {
    const made: unknown = make(given)
    assertOption(
      typeof made === 'function',
      `"${name}" of the registry returned no step. Give a function that returns one.`,
    )
    return made as Step
  }
  return Object.freeze({ options, make: makeStep })
}
