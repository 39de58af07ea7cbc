import { isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { z } from 'zod'
import { unknownName } from './complain.ts'
import type { Factory } from './declared.ts'
import { editorHints, extensible } from './editorHints.ts'
import type { Refs } from './refs.ts'
import type { RegistryOptions } from './registry.ts'
import { toldElsewhere } from './toProblems.ts'

/** The meaning of the names of one kind. */
export interface Known<Made> {
  /** The kind for errors: "model", "tool", … */
  readonly kind: string
  /** The option of the registry for more of them, and whether that has any. */
  readonly from: keyof RegistryOptions
  readonly hasOwn: boolean
  readonly values: Readonly<Record<string, Made>>
  readonly factories: Readonly<Record<string, Factory<Made>>>
}

/**
 * A schema for a name, or a name with options. Returns what the name stands for. Errors of the options, and of the
 * factory, have their own path.
 */
export function named<Made>(known: Known<Made>, refs: Refs): z.ZodType<Made> {
  const bare = entry(known, refs).transform(([, made]) => made)
  const { kind, factories } = known
  if (Object.keys(factories).length === 0) return bare
  const single = z.strictObject(optionsIn(factories, refs)).check(({ value, issues }) => {
    if (issues.length > 0 || Object.keys(value).length === 1) return
    const message = `Give one ${kind} by its name, with its options below the name. In a list, each begins with "- ".`
    issues.push({ code: 'custom', message, input: value, continue: false })
  })
  editorHints.add(single, { minProperties: 1, maxProperties: 1 })
  extensible.add(single)
  const withOptions = single.transform((given, context) => {
    // Unknown fields alone do not keep zod from coming here, but we do not go on with the rest.
    if (context.issues.length > 0) {
      context.issues.push({ code: 'custom', message: '', input: given, params: toldElsewhere })
      return z.NEVER
    }
    const [[name, options] = ['', undefined]] = Object.entries(given)
    return make(known, { name, options, path: [name] }, context)
  })
  return z.union([bare, withOptions])
}

/** A schema for a bare name. Returns the name and its value. */
export function entry<Made>(known: Known<Made>, refs: Refs): z.ZodType<readonly [string, Made]> {
  const { values, factories } = known
  return nameIn(known, [...Object.keys(values), ...Object.keys(factories)]).transform((name, context) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) return [name, value] as const
    // A bare name stands for the name with no options.
    const parsed = schemaOf(factories[name] as Factory<Made>, refs).safeParse({})
    if (parsed.success) return [name, make(known, { name, options: parsed.data, path: [] }, context)] as const
    const message = `${name} needs options. Write \`${name}:\`, and the options below it.`
    context.issues.push({ code: 'custom', message, input: name })
    return z.NEVER
  })
}

/** One of these names. If the registry has none of the kind, the error says so. */
export function nameIn(
  { from, hasOwn }: Pick<Known<unknown>, 'from' | 'hasOwn'>,
  names: readonly string[],
): z.ZodType<string> {
  const hint = `Your own go into registry({ ${from}: { … } }).`
  if (names.length === 0) return z.string().refine(() => false, `There is none yet. ${hint}`)
  const error: z.core.$ZodErrorMap = ({ input }) =>
    typeof input === 'string' ? `${unknownName(input, names)} ${hint}` : undefined
  const known = z.enum(names as [string, ...string[]], hasOwn ? {} : { error })
  extensible.add(known)
  return known
}

const schemaOf = ({ options }: Factory<unknown>, refs: Refs): z.ZodType =>
  typeof options === 'function' ? options(refs) : options

const optionsIn = (factories: Known<unknown>['factories'], refs: Refs): Record<string, z.ZodOptional<z.ZodType>> =>
  Object.fromEntries(Object.entries(factories).map(([name, factory]) => [name, schemaOf(factory, refs).optional()]))

interface Making {
  readonly name: string
  readonly options: unknown
  readonly path: readonly string[]
}

function make<Made>({ factories }: Known<Made>, { name, options, path }: Making, context: z.core.$RefinementCtx): Made {
  try {
    return (factories[name] as Factory<Made>).make(options)
  } catch (error) {
    // What is ours tells what to do; anything else is a fault of who makes it.
    const message = isAgentError(error) ? error.message : `Making ${name} failed: ${messageOf(error)}`
    context.issues.push({ code: 'custom', message, input: options, path: [...path] })
    return z.NEVER
  }
}
