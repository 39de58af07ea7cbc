import { json } from './problem.ts'
import { newIdRule, openApiPath, type Route, routes, runIdPattern } from './routes.ts'

/** Returns the description of all routes, without authentication. */
export const answerOpenApi = ({ method }: Request, { pathname }: URL): Response | undefined =>
  method === 'GET' && pathname.endsWith(openApiPath) ? json(openApi()) : undefined

/** Describes a handler (OpenAPI 3.1). The schemas are those that validate its requests. */
function openApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = describe(route)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Runs of agents', version: '1' },
    paths,
    components: { schemas: { Problem: problem } },
  }
}

function describe({ path, action, summary, isNew, query = {}, body, method }: Route): object {
  const parameters = [
    ...(path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: isNew ? newId : text }] : []),
    ...Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema: text })),
  ]
  return {
    operationId: path.endsWith('/events') ? 'events' : action,
    summary,
    parameters,
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body.schema } } } }),
    responses: {
      [method === 'DELETE' ? '204' : '2XX']: answerOf(path),
      default: {
        description: 'The error.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

const text = { type: 'string' }
const newId = {
  type: 'string',
  pattern: runIdPattern.source,
  description: `The id of the new run: ${newIdRule}. A repeated request starts no second run.`,
}
const answerOf = (path: string): object => ({
  description: 'Done.',
  content: { [path.endsWith('/events') ? 'text/event-stream' : 'application/json']: {} },
})
const problem = {
  type: 'object',
  required: ['title', 'status', 'detail', 'code', 'retryable'],
  properties: { title: text, status: { type: 'integer' }, detail: text, code: text, retryable: { type: 'boolean' } },
}
