import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step, ToolSet } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import type { AnyTool } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import { z } from 'zod'
import { toldElsewhere } from './problem.ts'

/** A factory for the options below a name. */
export interface Factory<Made> {
  readonly options: z.ZodType | ((refs: Refs) => z.ZodType)
  make(options: unknown): Made
}

/** Names of one kind, and how each is made. */
export type Factories<Made> = Readonly<Record<string, Factory<Made>>>

/**
 * A step of your own for configs: a schema of its options, and how it is made of them. Options that name models, tools,
 * steps or agents get schemas that look them up.
 *
 * @example
 * registry({ steps: { checkIn: declared(z.strictObject({ turns: z.int().min(1) }), ({ turns }) => checkIn(turns)) } })
 */
export function declared<Options, Made = Step>(
  options: z.ZodType<Options> | ((refs: Refs) => z.ZodType<Options>),
  make: (options: Options) => Made,
): Factory<Made> {
  // What the schema lets through is what `make` takes.
  return Object.freeze({ options, make: (given: unknown) => make(given as Options) })
}

/** Schemas for options that name something: they accept the name and return its value. */
export interface Refs {
  readonly step: z.ZodType<Step>
  readonly model: z.ZodType<LanguageModelV4>
  readonly tool: z.ZodType<AnyTool | object>
  /** A tool by its bare name, with the name. */
  readonly toolEntry: z.ZodType<readonly [string, AnyTool | object]>
  readonly agent: z.ZodType<Agent>
  readonly strategy: z.ZodType<CompactionStrategy>
  readonly memory: z.ZodType<Memory>
  readonly external: z.ZodType<ExternalAgent>
  /** A function of the registry. That it is of the right type is up to who registers it. */
  fn<Fn>(): z.ZodType<Fn>
}

/** Additions to the format's JSON Schema that zod does not know. A separate registry, not the global one. */
export const editorHints: z.core.$ZodRegistry<Record<string, unknown>> = z.registry<Record<string, unknown>>()

/** Schemas of names, to which a registry adds some. */
export const extensible: WeakSet<object> = new WeakSet()

/** Adds a line that editors show where the field is written. */
export function hinted<T>(schema: z.ZodType<T>, description: string): z.ZodType<T> {
  editorHints.add(schema, { description })
  return schema
}

/** A schema for each option, and for nothing else. */
export type Shape<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name] | undefined> }

/** A schema for an options type: the compiler sees to it that every option is in it. */
export function optionsOf<Options extends object>(shape: Shape<Options>): z.ZodType<Options> {
  // An option that is left out is absent here, and never undefined: no text can say that.
  return z.strictObject(shape) as z.ZodType as z.ZodType<Options>
}

/** For what takes no options. */
export const noOptions: z.ZodType<object> = z.strictObject({})

/** One, or a list of them. */
export const oneOrMore = <T>(schema: z.ZodType<T>): z.ZodType<T | readonly T[]> =>
  z.union([schema, z.array(schema).min(1)])

/** A text, or `{ function: name }` where a function of the registry is to write it. */
export const textOr = <Fn>(refs: Refs): z.ZodType<string | Fn> => z.union([z.string(), functionOf<Fn>(refs)])

/** `{ function: name }`, where a bare name would be taken for something else. */
export const functionOf = <Fn>({ fn }: Refs): z.ZodType<Fn> =>
  z.strictObject({ function: fn<Fn>() }).transform((given) => given.function as Fn)

/** A list of names, or what each name stands for. */
export const toolSet = ({ tool, toolEntry }: Refs): z.ZodType<ToolSet> =>
  z.union([z.array(toolEntry).transform((entries) => Object.fromEntries(entries)), z.record(z.string(), tool)])

/** One of two forms, of which the first is a group of fields. The error is about the form that was meant. */
export function either<A, B>(fields: z.ZodType<A>, other: z.ZodType<B>): z.ZodType<A | B> {
  const decided = fields.transform((value, { issues }) => {
    // Unknown fields alone would decide for this form, and fields that the other form knows are unknown here.
    if (issues.length > 0) issues.push({ code: 'custom', message: '', input: value, params: toldElsewhere })
    return value
  })
  return z.union([decided, other])
}
