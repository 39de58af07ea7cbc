import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  inputRequired,
  type McpHttpHandler,
  type McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

// The tools and resources that the official suite expects of a server, besides the tools that agents answer.

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (value: string) => ({ type: 'text' as const, text: value })
const says = (value: string) => ({ content: [text(value)] })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'Embedded.' },
})
const none = { description: 'For tests', inputSchema: z.object({}) }

const nameForm = inputRequired.elicit({
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
})
const sample = inputRequired.createMessage({
  messages: [{ role: 'user', content: text('Generate a greeting') }],
  maxTokens: 50,
})

export function addFixtures(server: McpServer, notify: () => McpHttpHandler['notify']): void {
  addContents(server)
  addNotifications(server, notify)
  addInputs(server)
  addResources(server)
  addPrompts(server)
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
}

function addContents(server: McpServer): void {
  server.registerTool('test_simple_text', none, () => says('This is a simple text response for testing.'))
  server.registerTool('test_image_content', none, () => ({ content: [image] }))
  server.registerTool('test_audio_content', none, () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }))
  server.registerTool('test_embedded_resource', none, () => ({ content: [embedded('test://embedded-resource')] }))
  server.registerTool('test_multiple_content_types', none, () => ({
    content: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource')],
  }))
  server.registerTool('test_error_handling', none, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_streaming_elicitation', none, () => says('No requests in this stream.'))
}

function addNotifications(server: McpServer, notify: () => McpHttpHandler['notify']): void {
  server.registerTool('test_tool_with_progress', none, async (_, { mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {}
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 } as { progressToken: string; progress: number }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return says(String(progressToken))
  })
  server.registerTool('test_logging_tool', none, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'It ran.')
    return says('Logged.')
  })
  server.registerTool('test_trigger_tool_change', none, () => {
    notify().toolsChanged()
    return says('Published.')
  })
  server.registerTool('test_trigger_prompt_change', none, () => {
    notify().promptsChanged()
    return says('Published.')
  })
}

function addInputs(server: McpServer): void {
  const asking = (name: string, inputRequests: InputRequests) =>
    server.registerTool(name, none, (_, { mcpReq }) =>
      mcpReq.inputResponses ? says('Thank you.') : inputRequired({ inputRequests }),
    )
  server.registerTool('test_input_required_result_elicitation', none, (_, { mcpReq }) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name
    return typeof name === 'string'
      ? says(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: nameForm } })
  })
  asking('test_input_required_result_sampling', { capital_question: sample })
  asking('test_input_required_result_list_roots', { client_roots: inputRequired.listRoots() })
  asking('test_missing_capability', { llm_answer: sample })
  server.registerTool('test_input_required_result_capabilities', none, (_, { mcpReq }) => {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
    const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as Readonly<Record<string, object>> | undefined
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name: nameForm }),
      ...(declared?.sampling !== undefined && { greeting: sample }),
    }
    return mcpReq.inputResponses ? says('Thank you.') : inputRequired({ inputRequests })
  })
}

/** Asks for three kinds of input at once, and seals a state. */
export function addManyInputs(server: McpServer, mint: () => Promise<string>): void {
  server.registerTool('test_input_required_result_multiple_inputs', none, async (_, { mcpReq }) => {
    const inputRequests = { user_name: nameForm, greeting: sample, client_roots: inputRequired.listRoots() }
    return mcpReq.inputResponses ? says('Thank you.') : inputRequired({ inputRequests, requestState: await mint() })
  })
}

function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' }
  server.registerResource('static-text', 'test://static-text', plain, ({ href }) => ({
    contents: [{ uri: href, ...plain, text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }))
}

function addPrompts(server: McpServer): void {
  const user = <Content extends object>(content: Content) => ({ role: 'user' as const, content })
  const simple = { description: 'For tests' }
  server.registerPrompt('test_simple_prompt', simple, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt('test_prompt_with_image', simple, () => ({ messages: [user(image), user(text('See it?'))] }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...simple, argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...simple, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({ messages: [user(embedded(resourceUri)), user(text('Process it.'))] }),
  )
  server.registerPrompt('test_input_required_result_prompt', simple, ({ mcpReq }) => {
    const context = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')?.context
    if (typeof context === 'string') return { messages: [user(text(`Use the following context: ${context}`))] }
    return inputRequired({ inputRequests: { user_context: nameForm } })
  })
}
