import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import type { FormatWriting } from './formatWriting.ts'
import type { TextEvent } from './textEvent.ts'
import { isBrokenObject, plainField, toToolInput } from './toolInput.ts'

export type Action = Extract<TextEvent, { readonly type: 'action' }>

/** The context for turning text into calls. */
export interface CallNaming {
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** The tool that takes the final answer, if it is one of the tools. */
  readonly answerTool: string
  readonly writing: Pick<FormatWriting, 'oneTool' | 'input'>
}

export interface ReadAction {
  readonly toolName: string
  readonly input: Json
  /** The problem with the input, worded for the model. */
  readonly complaint?: string
}

/** Returns the call of an action. An unknown tool is left to the step that runs the calls and knows all tools. */
export function readAction({ tool, input }: Action, naming: CallNaming): ReadAction {
  const toolName = nameOf(tool, naming)
  const schema = naming.tools.find(({ name }) => name === toolName)?.inputSchema
  if (!schema) return { toolName, input }
  const wantsJson = naming.writing.input === 'json' || plainField(schema) === undefined
  if (wantsJson && isBrokenObject(input)) return { toolName, input, complaint: broken(toolName) }
  return { toolName, input: toToolInput(schema, input) }
}

/** Where the format has no names for tools, its actions go to the only one. */
function nameOf(written: string, { tools, answerTool, writing }: CallNaming): string {
  const [only] = tools.filter(({ name }) => name !== answerTool)
  return writing.oneTool && only && written !== answerTool ? only.name : written
}

const broken = (tool: string): string =>
  `The input of ${tool} is not whole JSON. Write it again, with every bracket closed.`
