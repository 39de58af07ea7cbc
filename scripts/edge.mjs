// `npm run edge`: the playground with its runs in Durable Objects, in a workerd on this machine.

import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, setup } from './toolchain.mjs'

const folder = path.join(root, 'apps', 'edge')

/** Nothing of it is told to anybody, and nothing is asked for elsewhere. */
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

export async function edge(args) {
  const env = { ...(await setup()), ...quiet }
  const status = await run(env, 'turbo', ['run', 'build', '--filter=@interleave/edge^...', '--output-logs=errors-only'])
  if (status !== 0) return status
  makeSecret()
  return run(
    env,
    path.join(folder, 'node_modules', '.bin', 'wrangler'),
    ['dev', '--ip', '127.0.0.1', '--port', '8787', ...args],
    { cwd: folder },
  )
}

/** One of its own for each copy of the repository, so that questions stay answerable over restarts. */
function makeSecret() {
  const file = path.join(folder, '.dev.vars')
  if (!existsSync(file)) writeFileSync(file, `SECRET=${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
}
