import { agent, confirm, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import { clientTool, pageModel, workerHost } from '../index.ts'

const inputSchema = z.object({})
/** Calls the tool that the user's message names, and then repeats its result. */
const obedient = Array.from(
  { length: 50 },
  () =>
    ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => {
      const last = prompt.at(-1)
      const wish = JSON.stringify(last?.content).match(/call (\w+)/)?.[1]
      return last?.role === 'user' && wish
        ? { calls: [{ name: wish, input: {} }] }
        : `Said ${JSON.stringify(last?.content)}`
    },
)

export const highlight = clientTool({ inputSchema: z.object({}), outputSchema: z.string(), effect: 'idempotent' })
export const pay = clientTool({ inputSchema: z.object({}), outputSchema: z.string() })
const sure = tool({ inputSchema, execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
const crash = tool({
  inputSchema,
  execute: () => {
    close()
    return new Promise<never>(() => {})
  },
})

export const guide = agent({
  name: 'guide',
  model: scriptedModel(...obedient),
  tools: { highlight, pay, sure, crash },
})
/** Its model is in the page. */
export const local = agent({ name: 'local', model: pageModel('nano') })

// A worker of another test has a name, and so a journal, of its own.
workerHost([guide, local], { journal: indexedDbJournal({ name: self.name || 'worker-test' }) })
