import { type Agent, agent, form, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type OfficialServer, serveAgents } from '../index.ts'
import { type Served, serve, World } from '../testing/shopServer.ts'
import { addFixtures, addManyInputs } from './fixtures.ts'

/** Creates an agent that asks for some things, one after another, and reports that the state of its call was intact. */
function asking(name: string, ...questions: readonly (readonly [prompt: string, schema: z.ZodObject])[]): Agent {
  const interview = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) => {
      for (const [prompt, schema] of questions) await ask(form({ prompt, schema }))
      return 'Thank you.'
    },
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool') ? 'state-ok' : { calls: [{ name: 'interview', input: {} }] },
  )
  return agent({ name, model, tools: { interview } })
}

const confirmed = ['Please confirm', z.object({ ok: z.boolean() })] as const
const agents = {
  test_input_required_result_request_state: asking('confirms', confirmed),
  test_input_required_result_tampered_state: asking('confirms again', confirmed),
  test_input_required_result_multi_round: asking(
    'interviews',
    ['Step 1: What is your name?', z.object({ name: z.string() })],
    ['Step 2: What is your favorite color?', z.object({ color: z.string() })],
  ),
}

type Call = (input: object, context: never) => unknown

/** Gives each agent the same task, since the suite calls tools without arguments. All else is as in `serveAgents`. */
const withTask = (server: McpServer): OfficialServer => ({
  registerTool: ((name: string, { description }: { description: string }, call: Call) =>
    server.registerTool(
      name,
      { description, inputSchema: z.object({}) },
      (_, context) => call({ task: 'Go' }, context as never) as never,
    )) as unknown as OfficialServer['registerTool'],
})

/** Serves agents by `serveAgents()`, and the suite's other tools. */
export function openServer(): Promise<Served> {
  const journal = memoryJournal()
  const codec = createRequestStateCodec<{ run: string }>({ key: 'a key for tests that is long enough.' })
  const make = (): McpServer => {
    const server = new McpServer(
      { name: 'conformance', version: '1' },
      {
        requestState: { verify: codec.verify },
        capabilities: { completions: {}, logging: {}, tools: { listChanged: true }, prompts: { listChanged: true } },
      },
    )
    const described = Object.entries(agents).map(([name, each]) => [name, { agent: each, description: 'Asks.' }])
    serveAgents(withTask(server), { agents: Object.fromEntries(described), journal, codec })
    addFixtures(server, () => handler.notify)
    addManyInputs(server, () => codec.mint({ run: 'none' }))
    return server
  }
  const handler = createMcpHandler(make)
  return serve(new World(), async (request) => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    return refused ?? handler.fetch(request)
  })
}
