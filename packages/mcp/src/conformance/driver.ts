// The client that the official conformance suite drives: one scenario per process. The server's URL is the last argument.
import process from 'node:process'
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client'
import { type JsonObject, mcpClient, type OAuthLibrary, oauth } from '../index.ts'
import { headlessProvider } from './headlessProvider.ts'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const url = process.argv.at(-1) ?? ''

// A server closes a connection after five idle seconds, which a busy machine may need between two requests.
const { fetch } = globalThis
globalThis.fetch = (to, init) => {
  const headers = new Headers(init?.headers)
  headers.set('connection', 'close')
  return fetch(to, { ...init, headers })
}

const { provider, code } = await headlessProvider(context, scenario)
const library: OAuthLibrary<never> = { auth, computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset }
const client = mcpClient({
  url,
  ...(scenario.startsWith('auth/') && {
    auth: oauth({ url, provider, load: async () => library, code }),
  }),
})
const call = (name: string, input: JsonObject = {}) => client.callTool({ name, arguments: input })

/** Calls a tool, and answers all its questions. */
async function callAndAnswer(name: string): Promise<void> {
  let result = await call(name)
  while (result.resultType === 'input_required') {
    const { inputRequests = {}, requestState } = result as { inputRequests?: object; requestState?: string }
    const content = { confirmed: true }
    const answers = Object.keys(inputRequests).map((key) => [key, { action: 'accept', content }])
    const state = requestState === undefined ? {} : { requestState }
    result = await client.callTool({ name, arguments: {}, inputResponses: Object.fromEntries(answers), ...state })
  }
}

async function play(): Promise<unknown> {
  if (scenario === 'request-metadata') return client.request('server/discover')
  const tools = await client.listTools()
  const [first] = tools
  if (scenario === 'tools_call') return call('add_numbers', { a: 5, b: 3 })
  if (scenario.startsWith('auth/')) return call('test-tool')
  if (scenario.startsWith('sep-2322')) {
    for (const name of ['echo_state', 'no_state', 'unrelated', 'no_result_type'])
      await callAndAnswer(`test_mrtr_${name}`)
  } else if (scenario === 'http-standard-headers') {
    if (first) await call(first.name)
    const { resources } = (await client.request('resources/list')) as { resources?: { uri: string }[] }
    if (resources?.[0]) await client.request('resources/read', { uri: resources[0].uri })
    const { prompts } = (await client.request('prompts/list')) as { prompts?: { name: string }[] }
    if (prompts?.[0]) await client.request('prompts/get', { name: prompts[0].name })
  } else if (scenario === 'http-custom-headers') {
    for (const { name, arguments: input } of context.toolCalls ?? []) await call(name, input)
  } else if (scenario === 'http-invalid-tool-headers') {
    for (const { name } of tools) await call(name, { region: 'us-west1' })
  }
}

await play()
