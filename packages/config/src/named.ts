import { type Agent, isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { z } from 'zod'
import { builtIn } from './builtIn/builtIn.ts'
import { unknownName } from './issueMessage.ts'
import { reportedElsewhere } from './problem.ts'
import type { Registry, RegistryOptions } from './registry.ts'
import { editorHints, extensible, type Factory, type Made, type Refs } from './schemas.ts'

/** The meaning of the names of one kind. */
interface Known<Value> {
  /** The kind for errors: "model", "tool", … */
  readonly kind: string
  /** The option of the registry for more of them, and whether that has any. */
  readonly from: keyof RegistryOptions
  readonly hasOwn: boolean
  readonly values: Readonly<Record<string, Value>>
  readonly factories: Readonly<Record<string, Factory<Value>>>
}

/** Creates a schema for a name, or a name with options. Its output is the value of the name. */
function named<Value>(known: Known<Value>, refs: Refs): z.ZodType<Value> {
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
    // zod continues after unknown fields alone, but the rest is not checked then.
    if (context.issues.length > 0) {
      context.issues.push({ code: 'custom', message: '', input: given, params: reportedElsewhere })
      return z.NEVER
    }
    const [[name, options] = ['', undefined]] = Object.entries(given)
    return make({ name, factory: factories[name] as Factory<Value>, options, path: [name] }, context)
  })
  return z.union([bare, withOptions])
}

/** Creates a schema for a bare name. Its output is the name and its value. */
function entry<Value>(known: Known<Value>, refs: Refs): z.ZodType<readonly [string, Value]> {
  const { values, factories } = known
  return nameIn(known, [...Object.keys(values), ...Object.keys(factories)]).transform((name, context) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) return [name, value] as const
    // A bare name stands for the name with no options.
    const factory = factories[name] as Factory<Value>
    const parsed = schemaOf(factory, refs).safeParse({})
    if (parsed.success) return [name, make({ name, factory, options: parsed.data, path: [] }, context)] as const
    const message = `${name} needs options. Write \`${name}:\`, and the options below it.`
    context.issues.push({ code: 'custom', message, input: name })
    return z.NEVER
  })
}

/** Creates a schema for one of these names. If the registry has none of the kind, the error reports that. */
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

interface Making<Value> {
  readonly name: string
  readonly factory: Factory<Value>
  readonly options: unknown
  readonly path: readonly string[]
}

function make<Value>({ name, factory, options, path }: Making<Value>, context: z.core.$RefinementCtx): Value {
  try {
    return factory.make(options)
  } catch (error) {
    // An error of ours says what to do; any other is a fault of the code that makes the value.
    const message = isAgentError(error) ? error.message : `Making ${name} failed: ${messageOf(error)}`
    context.issues.push({ code: 'custom', message, input: options, path: [...path] })
    return z.NEVER
  }
}

/** Creates the schemas that look names up in a registry. The caller passes the schema of agents. */
export function refsOf(registry: Registry, agent: z.ZodType<Agent>): Refs {
  const { models, tools, steps, strategies, memories, externals, functions } = registry
  const kinds: { readonly [Kind in keyof Made]: Omit<Known<Made[Kind]>, 'kind' | 'hasOwn'> } = {
    model: { from: 'models', values: models, factories: builtIn.models },
    tool: { from: 'tools', values: tools, factories: builtIn.tools },
    step: { from: 'steps', values: {}, factories: { ...builtIn.steps, ...steps } },
    strategy: { from: 'strategies', values: strategies, factories: builtIn.strategies },
    memory: { from: 'memories', values: memories, factories: builtIn.memories },
    external: { from: 'externals', values: externals, factories: builtIn.externals },
  }
  const known = <Kind extends keyof Made>(kind: Kind): Known<Made[Kind]> => {
    const { from, values, factories } = kinds[kind]
    return { kind, from, values, factories, hasOwn: Object.keys(registry[from]).length > 0 }
  }
  const fn = nameIn({ from: 'functions', hasOwn: true }, Object.keys(functions))
  const refs: Refs = {
    // Steps contain steps, and tools contain agents, so each is resolved when it is used.
    step: z.lazy(() => named(known('step'), refs)),
    model: z.lazy(() => named(known('model'), refs)),
    tool: z.lazy(() => named(known('tool'), refs)),
    toolEntry: z.lazy(() => entry(known('tool'), refs)),
    strategy: z.lazy(() => named(known('strategy'), refs)),
    memory: z.lazy(() => named(known('memory'), refs)),
    external: z.lazy(() => named(known('external'), refs)),
    agent,
    fn: <Fn>() => fn.transform((name) => functions[name] as Fn),
  }
  return refs
}
