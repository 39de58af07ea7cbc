/** The parts of a JSON Schema that decide how a value is asked for, as `plainSchema` gives them: without references. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly format?: string | undefined
  readonly contentMediaType?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly items?: FieldSchema | undefined
  /** The schemas and values of a list's initial items. Not part of JSON Schema. */
  readonly presets?: readonly FieldSchema[] | undefined
  readonly anyOf?: readonly FieldSchema[] | undefined
  readonly oneOf?: readonly FieldSchema[] | undefined
}
