import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { assertOption, DEV } from '@interleave/core/internal'
import type { TextLabels } from './format.ts'
import { escaped } from './read/characters.ts'
import { plainName } from './read/names.ts'
import { callTags } from './read/tags.ts'
import type { StepTextOptions } from './stepText.ts'
import type { TranslatorOptions } from './stepTranslator.ts'
import { countMalformed, type MalformedLimit, nextCall } from './stepTranslator.ts'
import type { StepUsage } from './stepUsage.ts'
import { type StepWriter, stepWriter } from './stepWriter.ts'
import type { TextModeSettings } from './textModeSettings.ts'
import { renderPrompt } from './textPrompt.ts'
import type { TextReaderOptions } from './textReader.ts'
import { noted, toChat } from './toChat.ts'
import { isTextField } from './toolInput.ts'
import { toTranscript } from './transcript.ts'

/** A call of a model with tools, turned into one of a model that only writes, and the options for reading its text. */
export interface TextCall {
  readonly options: LanguageModelV4CallOptions
  readonly text: StepTextOptions
  readonly calls: Omit<TranslatorOptions, 'thoughtsAsText'>
  /** The number of separate thoughts that may still precede an action. */
  readonly thoughts: number
  readonly malformed: MalformedLimit
  readonly warnings: readonly SharedV4Warning[]
  /** The usage of earlier thoughts of the same step. */
  readonly spent?: StepUsage
}

export function toTextCall(params: LanguageModelV4CallOptions, settings: TextModeSettings): TextCall {
  const { tools: offered = [], toolChoice, prompt, stopSequences: own = [], ...rest } = params
  const { answerTool } = settings
  const tools = offered.filter((tool) => tool.type === 'function')
  const writer = stepWriter({ ...settings, schemas: new Map(tools.map((tool) => [tool.name, tool.inputSchema])) })
  const { writing, labels } = writer
  const others = tools.filter(({ name }) => name !== answerTool)
  assertOption(!writing.oneTool || others.length <= 1, DEV && oneToolOnly(settings.format, others))

  const answer = tools.find(({ name }) => name === answerTool)
  const instructions = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const steps = renderPrompt(settings.prompt, { tools: others, answer, writer })
  const system = [...instructions, steps].filter(Boolean).join('\n\n')
  const { messages, next } = toChat(toTranscript(prompt, { answerTool }), { writer, demand: inWords(toolChoice) })
  const stops = [...new Set([...writing.stop({ number: next, labels }), ...own])].filter((stop) => stop !== '')
  return {
    options: {
      ...rest,
      prompt: [{ role: 'system', content: system }, ...messages],
      ...(stops.length > 0 && { stopSequences: stops.slice(0, mostStops) }),
    },
    text: {
      stops,
      reading: readingOf(tools, writer, settings),
      marks:
        settings.unlabelled === 'answer' ? marksOf(labels, { json: settings.format.startsWith('json-') }) : undefined,
    },
    calls: { tools, answerTool, writing, first: nextCall(prompt), bareEnd: writing.bareEnd && labels.answer },
    thoughts: writing.thinksApart ? mostThoughts : 0,
    malformed: { before: countMalformed(prompt), most: settings.malformed },
    warnings: offered.filter((tool) => tool.type === 'provider').map(({ id }) => unsupported(id)),
  }
}

const oneToolOnly = (format: string, tools: readonly LanguageModelV4FunctionTool[]): string =>
  `The format "${format}" writes commands for one tool, and there are ${tools.length}. Use another format.`

/** The number of stop sequences that most servers accept. Others are enforced here. */
const mostStops = 4
const mostThoughts = 3

/** Returns the same call, after a separate thought. */
export function afterThought(call: TextCall, text: string, spent: StepUsage): TextCall {
  const messages: LanguageModelV4Message[] = [
    { role: 'assistant', content: [{ type: 'text', text }] },
    { role: 'user', content: [{ type: 'text', text: noted }] },
  ]
  const options = { ...call.options, prompt: [...call.options.prompt, ...messages] }
  return { ...call, options, spent, thoughts: call.thoughts - 1, warnings: [] }
}

const unsupported = (id: string): SharedV4Warning => ({
  type: 'unsupported',
  feature: `provider tool ${id}`,
  details: 'In text mode only tools of the agent itself can be offered.',
})

/** Returns the reader's options. */
function readingOf(
  tools: readonly LanguageModelV4FunctionTool[],
  { labels, writing }: StepWriter,
  { format, answerTool, labels: own }: TextModeSettings,
): TextReaderOptions {
  const names = tools.map(({ name }) => name)
  const taken = names.filter((name) => name !== answerTool).map(plainName)
  const finish = [labels.answer, 'finish', 'final_answer'].filter((name) => !taken.includes(plainName(name)))
  const isText = (tool: string, field: string): boolean =>
    isTextField(tools.find(({ name }) => name === tool)?.inputSchema, field)
  return { isText, format, finish, labels: own, ownObservation: 'refuse', ...(!writing.oneTool && { tools: names }) }
}

/** Describes the caller's tool choice to the model. */
function inWords(choice: LanguageModelV4CallOptions['toolChoice']): string | undefined {
  switch (choice?.type) {
    case 'none':
      return 'Use no tool in this step: give the final answer.'
    case 'required':
      return 'In this step, use a tool.'
    case 'tool':
      return `In this step, use the tool ${choice.toolName}.`
    case 'auto':
    case undefined:
      return undefined
  }
}

/** Matches text that attempts a step of the format: a label at the beginning of a line, a tag, or a field. */
function marksOf(labels: TextLabels, { json }: { readonly json: boolean }): RegExp {
  const words = Object.values(labels).map(escaped)
  return new RegExp(
    `^[*#\\s]{0,6}(?:${words.join('|')})[ \\d*]{0,6}:|<(?:tool_call|function|invoke|command)|${calls}${json ? '|"(?:action|command)"\\s*:' : ''}`,
    'im',
  )
}

const calls = [...callTags.keys()].map(escaped).join('|')
