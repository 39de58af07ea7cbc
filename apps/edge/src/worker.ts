import { serveRuns } from '@interleave/cloudflare'
import { principalOf } from '../../playground/src/server/principalOf.ts'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'

export { RunObject } from './RunObject.ts'
export { UserObject } from './UserObject.ts'

/** The page's runs below /api; all else are the files of the page. */
export default {
  fetch(request: Request, env: Env): Promise<Response> {
    if (!new URL(request.url).pathname.startsWith('/api/')) return env.ASSETS.fetch(request)
    // Visitors are known by the access code of their page. For users who sign in, look at what their session says instead.
    return serveRuns({ runs: env.RUNS, users: env.USERS, authorize: principalOf, limits })(request)
  },
}
