import { Agent, Runner, setTracingDisabled, tool } from '@openai/agents'
import type { Kit, Subject } from '../kit.ts'
import { instructions, type Place, toolDescription, toolName } from '../work.ts'
import { nextTurn } from './nextTurn.ts'

setTracingDisabled(true)

/** `Runner` of the OpenAI Agents SDK without tracing, read through its stream. */
export const subject: Subject = {
  name: 'openai-agents',
  maxIterations: 200,
  create(kit) {
    const step = tool({
      name: toolName,
      description: toolDescription,
      parameters: kit.schema,
      execute: (place) => kit.execute(place),
    })
    const worker = new Agent({ name: 'worker', instructions, model: new InstantModel(kit), tools: [step] })
    const runner = new Runner({ tracingDisabled: true })
    return async ({ prompt, textAnswer }) => {
      const result = await runner.run(worker, prompt, { stream: true, maxTurns: 1_000_000 })
      let text = ''
      for await (const event of result) {
        if (event.type !== 'raw_model_stream_event' || event.data.type !== 'output_text_delta') continue
        text += event.data.delta
        textAnswer?.(event.data.delta)
      }
      await result.completed
      if (result.error) throw result.error
      return { text, result }
    }
  },
}

class InstantModel {
  readonly #kit: Kit
  constructor(kit: Kit) {
    this.#kit = kit
  }

  getResponse(): Promise<never> {
    return Promise.reject(new Error('Only streams are measured.'))
  }

  async *getStreamedResponse({ input }: { input: string | readonly object[] }): AsyncGenerator<object> {
    const turn = await nextTurn(this.#kit, placeIn(input))
    yield { type: 'response_started' }
    const output: object[] = []
    for (const { id, input: args } of turn.calls) {
      yield { type: 'model', event: { type: 'response.function_call_arguments.delta', item_id: id, delta: args } }
      output.push({
        type: 'function_call',
        id: `f${id}`,
        callId: id,
        name: toolName,
        status: 'completed',
        arguments: args,
      })
    }
    let text = ''
    for await (const delta of turn.text) {
      text += delta
      yield { type: 'output_text_delta', delta }
    }
    const content = [{ type: 'output_text', text }]
    if (turn.calls.length === 0)
      output.push({ type: 'message', id: 'm', role: 'assistant', status: 'completed', content })
    yield { type: 'response_done', response: { id: turn.id, usage, output } }
  }
}

function placeIn(input: string | readonly object[]): Place {
  if (typeof input === 'string') return JSON.parse(input)
  const last = input.at(-1) as { output?: unknown; content?: unknown }
  const value = last.output ?? last.content
  const part = Array.isArray(value) ? value.at(-1) : value
  return JSON.parse(typeof part === 'string' ? part : (part as { text: string }).text)
}
const usage = { inputTokens: 10, outputTokens: 10, totalTokens: 20 }
