import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { ExternalEvent } from './externalAgent.ts'
import { malformed } from './readExternalEvent.ts'

type Part = LanguageModelV4StreamPart
type Of<Type extends ExternalEvent['type']> = Extract<ExternalEvent, { readonly type: Type }>

/** Takes the events of an external turn, in order, and gives them as parts of a model stream: its calls are its own. */
export function externalParts(agent: string): (event: Exclude<ExternalEvent, Of<'session'>>) => readonly Part[] {
  const tools = new Map<string, string>()
  const used = { input: 0, output: 0, cachedInput: 0 }
  const open = new Set<string>()
  const idOf = blockIds()

  const call = ({ id, name, input }: Of<'toolCall'>): Part[] => {
    tools.set(id, name)
    open.add(id)
    idOf('call')
    const own = { toolName: name, providerExecuted: true, dynamic: true } as const
    return [
      { type: 'tool-input-start', id, ...own },
      { type: 'tool-call', toolCallId: id, input: JSON.stringify(input), ...own },
    ]
  }
  const result = ({ id: toolCallId, output, isError }: Of<'toolResult'>): Part[] => {
    const toolName = tools.get(toolCallId)
    if (toolName === undefined) throw malformed(agent, `a result of the call "${toolCallId}", which it never reported`)
    open.delete(toolCallId)
    return [{ type: 'tool-result', toolCallId, toolName, result: output ?? '', ...(isError && { isError }) }]
  }
  /** A call without a result would be refused by models that read the conversation later. */
  const close = (): Part[] =>
    [...open].flatMap((id) => result({ type: 'toolResult', id, output: 'It told no result.', isError: true }))
  const finish = ({ output }: Of<'done'>): Part => ({
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'done' },
    usage: usageOf(used),
    ...(output !== undefined && { providerMetadata: { interleave: { output } } }),
  })

  return (event) => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return [{ type: `${event.type}-delta`, id: idOf(event.type), delta: event.delta }]
      case 'toolCall':
        return call(event)
      case 'toolResult':
        return result(event)
      case 'usage':
        used.input += event.input
        used.output += event.output
        used.cachedInput += event.cachedInput ?? 0
        return []
      case 'done':
        return [...close(), finish(event)]
      case 'error': {
        const { message, retryable = false } = event
        throw new AgentError('model_failed', message, { retryable })
      }
    }
  }
}

/** Returns block ids: text after something of another kind is a new block. */
function blockIds(): (kind: string) => string {
  let block = { kind: '', count: 0 }
  return (kind) => {
    if (block.kind !== kind) block = { kind, count: block.count + 1 }
    return String(block.count)
  }
}

const usageOf = ({
  input,
  output,
  cachedInput,
}: Record<'input' | 'output' | 'cachedInput', number>): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input - cachedInput, cacheRead: cachedInput, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
})
