import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import * as z from 'zod'
import type { Kit, Subject } from '../kit.ts'
import { instructions, toolDescription, toolName } from '../work.ts'

type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/**
 * The least that does the same: parts are parsed, inputs checked, tools called, messages appended, and every part handed
 * on. No stop, no timeout, no limit, no log, no retry, no question.
 */
export const floor: Subject = {
  name: 'floor',
  create(kit) {
    const tool = { type: 'function', name: toolName, description: toolDescription } as const
    const tools: LanguageModelV4FunctionTool[] = [
      { ...tool, inputSchema: z.toJSONSchema(kit.schema) as LanguageModelV4FunctionTool['inputSchema'] },
    ]
    return async ({ prompt, textAnswer }) => {
      const messages: LanguageModelV4Message[] = [
        { role: 'system', content: instructions },
        { role: 'user', content: [{ type: 'text', text: prompt }] },
      ]
      let text = ''
      for await (const part of work(kit, tools, messages)) {
        if (part.type !== 'text-delta') continue
        text += part.delta
        textAnswer?.(part.delta)
      }
      return { text, result: { text, messages } }
    }
  },
}

type Part = LanguageModelV4StreamPart | LanguageModelV4ToolResultPart

async function* work(
  kit: Kit,
  tools: LanguageModelV4FunctionTool[],
  messages: LanguageModelV4Message[],
): AsyncGenerator<Part, undefined> {
  for (;;) {
    const { stream } = await kit.model.doStream({ prompt: messages, tools })
    const reader = stream.getReader()
    const content: AssistantContent = []
    const calls: LanguageModelV4ToolCallPart[] = []
    let text = ''
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') text += part.delta
      if (part.type === 'tool-call') {
        const { type, toolCallId, toolName: name, input } = part
        const call: LanguageModelV4ToolCallPart = { type, toolCallId, toolName: name, input: JSON.parse(input) }
        calls.push(call)
        content.push(call)
      }
      yield part
    }
    if (text) content.push({ type: 'text', text })
    messages.push({ role: 'assistant', content })
    if (calls.length === 0) return undefined
    const results = await Promise.all(calls.map((call) => perform(kit, call)))
    messages.push({ role: 'tool', content: results } satisfies ToolMessage)
    for (const result of results) yield result
  }
}

async function perform(
  { schema, execute }: Kit,
  { toolCallId, toolName: name, input }: LanguageModelV4ToolCallPart,
): Promise<LanguageModelV4ToolResultPart> {
  const checked = schema.safeParse(input)
  if (!checked.success) throw checked.error
  const value = await execute(checked.data)
  return { type: 'tool-result', toolCallId, toolName: name, output: { type: 'json', value } }
}
