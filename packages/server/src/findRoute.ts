import { AgentError } from '@interleave/core'
import { unknownRun } from './problem.ts'
import { type Route, routes } from './routes.ts'

export interface Found {
  readonly route: Route
  /** The run that it names; empty where it names none. */
  readonly id: string
}

const patterns = routes.map((route) => ({ route, pattern: new RegExp(`${route.path.replace('{id}', '([^/]+)')}$`) }))

/** Returns the route of a request, below any path. */
export function findRoute({ method }: Pick<Request, 'method'>, { pathname }: URL): Found {
  const there = patterns.filter(({ pattern }) => pattern.test(pathname))
  const found = there.find(({ route }) => route.method === method)
  if (found) return { route: found.route, id: readId(found.pattern.exec(pathname)?.[1]) }
  if (there.length === 0) throw new AgentError('request_invalid', 'There is nothing here.', { status: 404 })
  throw new AgentError('request_invalid', `Ask with ${there.map(({ route }) => route.method).join(' or ')}.`, {
    status: 405,
  })
}

function readId(given = ''): string {
  const id = decode(given)
  // Runs below others are not asked for by themselves.
  if (id === undefined || id.includes('/') || id.length > 200) throw unknownRun()
  return id
}

function decode(given: string): string | undefined {
  try {
    return decodeURIComponent(given)
  } catch {
    return undefined
  }
}
