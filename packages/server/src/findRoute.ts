import { AgentError } from '@interleave/core'
import { openApiPath } from './openApi.ts'
import { unknownRun } from './problem.ts'
import { type Route, routes } from './routes.ts'

export interface Found {
  readonly route: Route
  /** The run in the address; empty if there is none. */
  readonly id: string
}

/** The first two parts of each address, such as `/v1/runs`. */
const roots: ReadonlySet<string> = new Set(
  [openApiPath, ...routes.map(({ path }) => path)].map((path) => path.split('/', 3).join('/')),
)

/** Returns true if an address belongs to the routes, below any path, even if no route has it. */
export function isRoutePath({ pathname }: URL): boolean {
  const parts = pathname.split('/')
  return parts.some((part, index) => roots.has(`/${part}/${parts[index + 1]}`))
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
  // Child runs have no address of their own.
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
