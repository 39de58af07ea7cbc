import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import { isObject, type JsonSchema } from '@interleave/core/internal'
import { isSchema } from './describeSchema.ts'
import type { FormatWriting } from './format.ts'
import { strictJson } from './read/mendJson.ts'
import type { TextAction } from './textEvent.ts'

/** The context for turning text into calls. */
export interface CallNaming {
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** The tool that receives the final answer, if it is one of the tools. */
  readonly answerTool: string
  readonly writing: Pick<FormatWriting, 'oneTool' | 'input'>
}

interface ReadAction extends TextAction {
  /** The problem with the input, worded for the model. */
  readonly problem?: string
}

/** Returns the call of an action. An unknown tool is left to the step that runs the calls and knows all tools. */
export function readAction({ tool: written, input }: TextAction, naming: CallNaming): ReadAction {
  const tool = nameOf(written, naming)
  const schema = naming.tools.find(({ name }) => name === tool)?.inputSchema
  if (!schema) return { tool, input }
  const wantsJson = naming.writing.input === 'json' || plainField(schema) === undefined
  const isBroken = wantsJson && typeof input === 'string' && looksLikeJson(input) && parsed(input) === undefined
  if (!isBroken) return { tool, input: toToolInput(schema, input) }
  return { tool, input, problem: `The input of ${tool} is not whole JSON. Write it again, with every bracket closed.` }
}

/** Returns the name of the tool. In a format without names, all actions go to the only tool. */
function nameOf(written: string, { tools, answerTool, writing }: CallNaming): string {
  const [only] = tools.filter(({ name }) => name !== answerTool)
  return writing.oneTool && only && written !== answerTool ? only.name : written
}

/**
 * Returns the input of a tool for a written value. An object stays as it is; a string becomes the tool's only field, or
 * the first required one. An unfit value is passed on: the tool's schema describes the problem better.
 */
export function toToolInput(schema: JsonSchema, written: Json): Json {
  if (isObject(written) || !takesObject(schema)) return written
  const parsed = typeof written === 'string' ? fittingObject(schema, written) : undefined
  if (parsed) return parsed
  const field = mainField(schema)
  const isNothing = written === null || (written === '' && !schema.required?.includes(field ?? ''))
  if (field === undefined) return schema.properties || isNothing ? {} : written
  if (isNothing) return {}
  return { [field]: typeof written === 'string' ? toField(schema, field, written) : written }
}

/** Returns the input as text, if the tool has one plain field. Undefined if only JSON will do. */
export function asPlainInput(schema: JsonSchema | undefined, input: Json): string | undefined {
  if (!isObject(input)) return typeof input === 'string' ? input : undefined
  const field = schema ? plainField(schema) : undefined
  const [[name, value] = [], ...others] = Object.entries(input)
  if (name === undefined) return schema && !mainField(schema) ? '' : undefined
  if (others.length > 0 || (schema && name !== field)) return undefined
  if (typeof value === 'string') return value
  return schema && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : undefined
}

/** Returns true if a field accepts only a string. */
export function isTextField(schema: JsonSchema | undefined, name: string): boolean {
  const field = schema?.properties?.[name]
  return isSchema(field) && field.type === 'string'
}

/** Returns the name of a tool's one field, if it has one that can be written as plain text. */
export function plainField(schema: JsonSchema): string | undefined {
  const [[name, field] = [], ...others] = Object.entries(schema.properties ?? {})
  if (name === undefined || others.length > 0 || !isSchema(field)) return undefined
  return field.enum || plainTypes.includes(String(field.type)) ? name : undefined
}
const plainTypes: readonly string[] = ['string', 'number', 'integer', 'boolean']

/** Returns the field that a lone value is for. */
function mainField({ properties, required }: JsonSchema): string | undefined {
  const names = Object.keys(properties ?? {})
  return names.length === 1 ? names[0] : (required?.[0] ?? names[0])
}

const takesObject = ({ type, properties }: JsonSchema): boolean => type === 'object' || properties !== undefined

/** Returns an object that was written as text, unless the text is for a field that merely looks like one. */
function fittingObject(schema: JsonSchema, text: string): Json | undefined {
  const object = looksLikeJson(text) ? parsed(text) : undefined
  if (!isObject(object)) return undefined
  const known = schema.properties ?? {}
  return Object.keys(object).some((key) => Object.hasOwn(known, key)) || Object.keys(known).length !== 1
    ? object
    : undefined
}

/** Converts a text for a field that is not a string, such as a number. */
function toField({ properties }: JsonSchema, name: string, text: string): Json {
  const field = properties?.[name]
  const takesText = !isSchema(field) || [field.type].flat().some((type) => type === 'string' || !type)
  const value = takesText ? undefined : parsed(text)
  return value ?? text
}

const parsed = (text: string): Json | undefined => strictJson(text.replace(fence, '$1'))

/** Matches a block of code, in which models often write JSON. */
const fence = /^\s*```\w*\s([\s\S]*)```\s*$/

const looksLikeJson = (text: string): boolean => /^\s*(?:```\w*\s*)?\{/.test(text)
