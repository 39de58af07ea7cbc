import { isStepCount, ToolLoopAgent, tool } from 'ai'
import type { Subject } from '../kit.ts'
import { instructions, toolDescription, toolName } from '../work.ts'

/** The AI SDK's own agent, read through its full stream. */
export const ai: Subject = {
  name: 'ai',
  maxIterations: 1_000,
  create({ model, schema, execute }) {
    const step = tool({ description: toolDescription, inputSchema: schema, execute })
    const worker = new ToolLoopAgent({
      model,
      instructions,
      tools: { [toolName]: step },
      stopWhen: isStepCount(1_000_000),
    })
    return async ({ prompt, textAnswer }) => {
      const result = await worker.stream({ prompt })
      let text = ''
      for await (const part of result.fullStream) {
        if (part.type === 'error') throw part.error
        if (part.type !== 'text-delta') continue
        text += part.text
        textAnswer?.(part.text)
      }
      return { text, result }
    }
  },
}
