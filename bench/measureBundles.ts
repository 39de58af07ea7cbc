import { gzipSync } from 'node:zlib'
import { type BundleOptions, bundle } from './bundle.ts'
import type { Result } from './sample.ts'
import { subjectNames } from './subjects.ts'

const hello = `const inputSchema = z.object({ city: z.string() })
const execute = async ({ city }) => 'sunny in ' + city
const description = 'Tells the weather.'
`
const ours = `import * as z from 'zod'
import { agent, tool } from '@interleave/core'
${hello}
globalThis.hello = (model) =>
  agent({ name: 'hello', model, tools: { weather: tool({ description, inputSchema, execute }) } }).start('Hello')`
const theirs = `import * as z from 'zod'
import { ToolLoopAgent, tool } from 'ai'
${hello}
globalThis.hello = (model) =>
  new ToolLoopAgent({ model, tools: { weather: tool({ description, inputSchema, execute }) } }).stream({ prompt: 'Hello' })`

/** The same by the libraries of `bench/peers`, each as its documentation begins. */
const helloOfPeers: Readonly<Record<string, string>> = {
  'pi-agent-core': `import * as z from 'zod'
import { agentLoop } from '@earendil-works/pi-agent-core'
${hello}
const run = async (_, input) => ({ content: [{ type: 'text', text: await execute(input) }] })
const tools = [{ name: 'weather', label: 'Weather', description, parameters: z.toJSONSchema(inputSchema), execute: run }]
globalThis.hello = (model, stream) =>
  agentLoop([{ role: 'user', content: 'Hello' }], { messages: [], tools }, { model }, undefined, stream)`,
  tanstack: `import * as z from 'zod'
import { chat, toolDefinition } from '@tanstack/ai'
${hello}
const tools = [toolDefinition({ name: 'weather', description, inputSchema }).server(execute)]
globalThis.hello = (adapter) => chat({ adapter, tools, messages: [{ role: 'user', content: 'Hello' }] })`,
  'openai-agents': `import * as z from 'zod'
import { Agent, run, tool } from '@openai/agents'
${hello}
const tools = [tool({ name: 'weather', description, parameters: inputSchema, execute })]
globalThis.hello = (model) => run(new Agent({ name: 'hello', model, tools }), 'Hello', { stream: true })`,
  langgraph: `import * as z from 'zod'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
${hello}
const tools = [tool(execute, { name: 'weather', description, schema: inputSchema })]
globalThis.hello = (llm) => createReactAgent({ llm, tools }).stream({ messages: [{ role: 'user', content: 'Hello' }] })`,
}

interface Entry extends BundleOptions {
  readonly subject: string
  readonly metric: string
  readonly code: string
}

const react = ['react', 'react-dom']
const entries: readonly Entry[] = [
  { subject: 'interleave', metric: 'hello agent, without zod', code: ours, external: ['zod'] },
  { subject: 'interleave', metric: 'hello agent, with zod', code: ours },
  {
    subject: 'interleave',
    metric: 'an agent with all React hooks, without zod',
    code: "export * from './agentWithHooks.ts'",
    external: ['zod', ...react],
  },
  {
    subject: 'interleave',
    metric: 'the same with SignalOutlet',
    code: "export * from './agentWithOutlet.ts'",
    external: ['zod', ...react],
  },
  {
    subject: 'interleave',
    metric: 'the hooks with a journal in IndexedDB',
    code: "export * from './agentThatIsKept.ts'",
    external: ['zod', ...react],
  },
  {
    subject: 'interleave',
    metric: "a server's handler",
    code: "export { createHandler } from '@interleave/server'",
    external: ['zod'],
  },
  {
    subject: 'interleave',
    metric: 'a server with one Durable Object for each run',
    code: "export { runObject, serveRuns, userObject } from '@interleave/cloudflare'",
    external: ['zod', 'cloudflare:workers'],
  },
  {
    subject: 'interleave',
    metric: 'an agent of a server, in the page',
    code: "export { remoteAgent } from '@interleave/connect/http'",
  },
  {
    subject: 'interleave',
    metric: 'the same with its journal',
    code: "export { remoteAgent, remoteJournal } from '@interleave/connect/http'",
  },
  { subject: 'ai', metric: 'hello agent, without zod', code: theirs, external: ['zod'] },
  { subject: 'ai', metric: 'hello agent, with zod', code: theirs },
  {
    subject: 'ai',
    metric: 'an agent with all React hooks, without zod',
    code: `export { useChat } from '@ai-sdk/react'\nexport { ToolLoopAgent, tool } from 'ai'`,
    external: ['zod', ...react],
  },
  ...Object.entries(helloOfPeers)
    .filter(([subject]) => subjectNames.includes(subject))
    .map(([subject, code]) => {
      return { subject, metric: 'hello agent, without zod', code, external: ['zod'], from: 'peers' }
    }),
]

/** Measures the download of an app for an agent with one tool, without the model's own package. */
export async function measureBundles(subjects?: readonly string[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { subject, metric, code, ...options } of entries) {
    if (subjects?.includes(subject) === false) continue
    const kB = gzipSync(await bundle(code, { ...options, atStart: true }), { level: 9 }).length / 1_000
    results.push({ case: 'bundle', subject, metric, unit: 'kB gzip', median: kB, min: kB, max: kB })
  }
  return results
}
