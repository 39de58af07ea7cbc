import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step, ToolSet } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import { type AnyTool, checkArgument } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import { z } from 'zod'
import { reportedElsewhere } from './problem.ts'

/** A factory for the options below a name. */
export interface Factory<Made> {
  readonly options: z.ZodType | ((refs: Refs) => z.ZodType)
  make(options: unknown): Made
}

/** The factories of one kind, by name. */
export type Factories<Made> = Readonly<Record<string, Factory<Made>>>

/**
 * Declares a step of your own for configs: the schema of its options, and the function that makes it. Options that name
 * models, tools, steps or agents get schemas that look them up.
 *
 * @example
 * registry({ steps: { checkIn: declared(z.strictObject({ turns: z.int().min(1) }), ({ turns }) => checkIn(turns)) } })
 */
export function declared<Options, Made = Step>(
  options: z.ZodType<Options> | ((refs: Refs) => z.ZodType<Options>),
  make: (options: Options) => Made,
): Factory<Made> {
  checkArgument(make, 'second argument of declared()', 'a function')
  // The type of the schema's output is that of `make`'s input.
  return Object.freeze({ options, make: (given: unknown) => make(given as Options) })
}

/** The values that names stand for, by kind. */
export interface Made {
  readonly step: Step
  readonly model: LanguageModelV4
  readonly tool: AnyTool | object
  readonly strategy: CompactionStrategy
  readonly memory: Memory
  readonly external: ExternalAgent
}

/** Schemas for options that name something: they accept the name and return its value. */
export type Refs = { readonly [Kind in keyof Made]: z.ZodType<Made[Kind]> } & {
  readonly agent: z.ZodType<Agent>
  /** A tool by its bare name, with the name. */
  readonly toolEntry: z.ZodType<readonly [string, AnyTool | object]>
  /** A function of the registry. The app is responsible for its type. */
  fn<Fn>(): z.ZodType<Fn>
}

/** Additions to the format's JSON Schema that zod cannot express. A separate registry, not the global one. */
export const editorHints: z.core.$ZodRegistry<Record<string, unknown>> = z.registry<Record<string, unknown>>()

/** Schemas of names that a registry may extend. */
export const extensible: WeakSet<object> = new WeakSet()

/** Adds a description that editors show for the field. */
export function hinted<T>(schema: z.ZodType<T>, description: string): z.ZodType<T> {
  editorHints.add(schema, { description })
  return schema
}

/** A schema for each option, and for nothing else. */
export type Shape<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name] | undefined> }

/** Creates a schema for an options type: the compiler ensures that it has every option. */
export function optionsOf<Options extends object>(shape: Shape<Options>): z.ZodType<Options> {
  // An omitted option is absent here, and never undefined, since no text can express that.
  return z.strictObject(shape) as z.ZodType as z.ZodType<Options>
}

/** The schema of a factory without options. */
export const noOptions: z.ZodType<object> = z.strictObject({})

/** Creates a schema for one value, or a list of them. */
export const oneOrMore = <T>(schema: z.ZodType<T>): z.ZodType<T | readonly T[]> =>
  z.union([schema, z.array(schema).min(1)])

/** Creates a schema for a string, or for `{ function: name }` if a function of the registry writes it. */
export const textOr = <Fn>(refs: Refs): z.ZodType<string | Fn> => z.union([z.string(), functionOf<Fn>(refs)])

/** Creates a schema for `{ function: name }`, for options whose bare strings mean something else. */
export const functionOf = <Fn>({ fn }: Refs): z.ZodType<Fn> =>
  z.strictObject({ function: fn<Fn>() }).transform((given) => given.function as Fn)

/** Creates a schema for a list of names, or a tool for each name. */
export const toolSet = ({ tool, toolEntry }: Refs): z.ZodType<ToolSet> =>
  z.union([z.array(toolEntry).transform((entries) => Object.fromEntries(entries)), z.record(z.string(), tool)])

/** Creates a schema for a group of fields or another form. The error is about the form that was meant. */
export function either<A, B>(fields: z.ZodType<A>, other: z.ZodType<B>): z.ZodType<A | B> {
  const decided = fields.transform((value, { issues }) => {
    // Unknown fields alone would choose this form, and it does not know the other form's fields.
    if (issues.length > 0) issues.push({ code: 'custom', message: '', input: value, params: reportedElsewhere })
    return value
  })
  return z.union([decided, other])
}
