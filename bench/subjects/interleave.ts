import { type Agent, agent, type Run, reasonAct, tool } from '@interleave/core'
import { eventsOf } from '@interleave/core/observe'
import type { Kit, RunInput, Subject } from '../kit.ts'
import { instructions, toolDescription, toolName } from '../work.ts'

/** Ours, read through its stream of events. */
export const interleave: Subject = {
  name: 'interleave',
  create: (kit) => {
    const start = starter(kit)
    return async ({ prompt, textAnswer }) => {
      const run = start(prompt)
      let text = ''
      for await (const event of eventsOf(run)) {
        if (event.type !== 'delta' || event.kind !== 'text') continue
        text += event.delta
        textAnswer?.(event.delta)
      }
      return finish(run, text)
    }
  },
}

/** Ours, listened to, as a binding of a user interface does. */
export const interleaveListened: Subject = {
  name: 'interleave, listened to',
  create: (kit) => {
    const start = starter(kit)
    return async ({ prompt, textAnswer }: RunInput) => {
      const run = start(prompt)
      let text = ''
      run.subscribe((event) => {
        if (event.type !== 'delta' || event.kind !== 'text') return
        text += event.delta
        textAnswer?.(event.delta)
      })
      await run.settled
      return finish(run, text)
    }
  },
}

function starter(kit: Kit): (prompt: string) => Run {
  const worker = createWorker(kit)
  return (prompt) => worker.start(prompt)
}

/** The agent that is measured. */
export function createWorker(kit: Kit): Agent {
  const step = tool({ description: toolDescription, inputSchema: kit.schema, execute: kit.execute })
  return agent({
    name: 'worker',
    model: kit.model,
    instructions,
    tools: { [toolName]: step },
    backend: reasonAct({ limits: { iterations: 1_000_000 } }),
  })
}

async function finish(run: Run, text: string): Promise<{ text: string; result: Run }> {
  const signal = await run.settled
  if (signal.type !== 'answer') throw new Error(`The run rests with ${JSON.stringify(signal)}.`)
  return { text, result: run }
}
