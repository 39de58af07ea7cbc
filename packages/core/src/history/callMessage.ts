import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Failure } from '../error.ts'
import type { Json } from '../json.ts'

/** The position of a message in its chat. */
export interface Placed {
  /** The message's id within its run, the same after a reload. */
  readonly key: string
  /** Milliseconds since the epoch; 0 for seeded and for streaming messages. */
  readonly at: number
}

/**
 * A tool call. Its key is that of the call, such as `3/tool/0`.
 *
 * With the type of an agent or a run, comparing `tool` and `state` narrows `input`, `progress` and `output` to those of
 * the agent's tool. A log may also have calls of tools that the type does not have, such as those of a bundle.
 */
export type CallMessage<Of = unknown> = NamedCall<ToolsOf<Of>>

/** A call of one tool of an agent. */
export type CallOf<Of, Name extends ToolNames<Of>> = Extract<CallMessage<Of>, { readonly tool: Name }>

/** The names of an agent's tools; any string without the type of an agent. */
export type ToolNames<Of> = keyof ToolsOf<Of> & string

/** The tools of an agent or a run. */
export type ToolsOf<Of> = Of extends { readonly toolTypes?: infer Tools } ? Exclude<Tools, undefined> : AnyTools
type AnyTools = Readonly<Record<string, object>>

type NamedCall<Tools> = string extends keyof Tools
  ? CallStates<string, Json, Json>
  : { [Name in keyof Tools & string]: CallStates<Name, InputOf<Tools[Name]>, OutputOf<Tools[Name]>> }[keyof Tools &
      string]

type CallStates<Name extends string, Input, Output> =
  | WrittenCall<Name, PartialOf<Input>>
  | BegunCall<Name, Input, Output>
  | DoneCall<Name, Input, Output>
  | RefusedCall<Name, Input>
  | FailedCall<Name>

interface AnyCall<Name extends string> extends Placed {
  readonly type: 'call'
  readonly tool: Name
  /** The duration in milliseconds. */
  readonly ms?: number
  /** The `seq` of its observation, as for a fork. */
  readonly seq?: number
  /** The id of the permission by which a user allowed it earlier, so no question was asked. */
  readonly allowed?: string
  /** The input as text, while it streams. */
  readonly inputText?: string
  readonly progress?: unknown
  readonly output?: unknown
  readonly error?: Failure
}
/** A call whose input the model writes, or that has not started. The input is not checked yet. */
interface WrittenCall<Name extends string, Part> extends AnyCall<Name> {
  readonly state: 'writing'
  /** The part that has arrived; undefined if that is not JSON. */
  readonly input: Part | undefined
  readonly progress?: never
  readonly output?: never
  readonly error?: never
}
/** A call that has started. `working`: its tool runs. `waiting`: it waits for a user. */
interface BegunCall<Name extends string, Input, Output> extends AnyCall<Name> {
  readonly state: 'working' | 'waiting'
  readonly input: Input
  /** The latest preliminary output of a running tool. */
  readonly progress?: Output
  readonly output?: never
  readonly error?: never
}
interface DoneCall<Name extends string, Input, Output> extends AnyCall<Name> {
  readonly state: 'done'
  readonly input: Input
  readonly output: Output
  readonly error?: never
}
/** A call that a user refused. The message of the error is the reason. */
interface RefusedCall<Name extends string, Input> extends AnyCall<Name> {
  readonly state: 'refused'
  readonly input: Input
  readonly output?: Json
  readonly error: Failure
}
interface FailedCall<Name extends string> extends AnyCall<Name> {
  readonly state: 'failed'
  /** The schema may not have accepted it. */
  readonly input: Json | undefined
  /** The text that the model reads. */
  readonly output?: Json
  readonly error: Failure
}

/** The type of the input as the model writes it, which is what the tool's schema accepts. */
type InputOf<Tool> = Tool extends { readonly inputSchema: infer Schema } ? GivenTo<Schema> : Json

/** The input type of a schema. For a wrapped schema, and for one of an unknown input type, it is the output type. */
type GivenTo<Schema> =
  unknown extends StandardInput<Schema>
    ? AsJson<Schema extends { readonly _type: infer Output } ? Output : never>
    : AsJson<StandardInput<Schema>>

type StandardInput<Schema> = Schema extends StandardSchemaV1<infer Input, unknown> ? Input : never

/** The type of the output as the log has it. */
type OutputOf<Tool> = Tool extends { readonly execute?: infer Execute }
  ? NonNullable<Execute> extends (...given: never) => infer Returned
    ? AsJson<Yielded<Returned>>
    : ProvidedOutput<Tool>
  : ProvidedOutput<Tool>

type Yielded<Returned> =
  Returned extends AsyncIterable<infer Output> ? Output : Returned extends PromiseLike<infer Output> ? Output : Returned

/** The output type of a tool without a function, whose output comes from a user or from the app. */
type ProvidedOutput<Tool> = Tool extends { readonly outputSchema?: StandardSchemaV1<unknown, infer Output> }
  ? AsJson<Output>
  : Json

/** A value after it was stored as JSON and read again. */
export type AsJson<Value> = Json extends Value
  ? Json
  : Value extends { toJSON(): infer Plain }
    ? AsJson<Plain>
    : Value extends string | number | boolean | null
      ? Value
      : Value extends undefined
        ? null
        : Value extends object
          ? {
              [Key in keyof Value]: undefined extends Value[Key]
                ? AsJson<Exclude<Value[Key], undefined>> | undefined
                : AsJson<Value[Key]>
            }
          : Json

/** A value of which any part may be missing, because it still streams. */
export type PartialOf<Value> = Json extends Value
  ? Json
  : Value extends string | number | boolean | null
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly PartialOf<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value]?: PartialOf<Value[Key]> | undefined }
        : Value
