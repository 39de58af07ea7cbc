import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../processes/freePorts.ts'
import { answers, run, start } from './command.ts'

const root = path.join(import.meta.dirname, '../../..')
const home = path.join(root, '.cache/verdaccio')
const storage = path.join(home, 'storage')

export interface Registry {
  /** The variables with which npm uses it. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/**
 * Starts a registry on loopback with the built packages of this repository. All other packages come from the registry
 * that npm is configured with, and stay in `.cache`.
 */
export async function startRegistry(): Promise<Registry> {
  await install()
  for (const name of ['@interleave', 'create-interleave', '.verdaccio-db.json'])
    rmSync(path.join(storage, name), { recursive: true, force: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const upstream = (await run('npm config get registry', { cwd: home })).match(/^https?:\S+$/m)?.[0]
  writeFileSync(path.join(home, 'config.yaml'), configOf(url, upstream ?? 'https://registry.npmjs.org/'))
  const server = start('node node_modules/verdaccio/bin/verdaccio --config config.yaml', { cwd: home })
  const env = {
    npm_config_registry: url,
    npm_config_cache: path.join(home, 'npm'),
    npm_config_prefer_online: 'true',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  }
  try {
    await answers(`${url}-/ping`, server)
    // As in a release: only pnpm applies publishConfig.
    await run(`pnpm -r --filter './packages/*' publish --no-git-checks --registry ${url}`, { cwd: root, env })
  } catch (error) {
    await server.stop()
    throw error
  }
  return { env, stop: () => server.stop() }
}

/** Installs verdaccio once. It depends on a tag of node-fetch, which not every registry has. */
async function install(): Promise<void> {
  if (existsSync(path.join(home, 'node_modules/verdaccio/bin/verdaccio'))) return
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{"private":true,"overrides":{"node-fetch":"2.7.0"}}')
  await run('npm install verdaccio@6.10.4 --no-audit --no-fund --ignore-scripts', { cwd: home })
}

const configOf = (url: string, upstream: string): string => `
storage: ${storage}
uplinks: { npm: { url: '${upstream}', cache: true } }
packages:
  '@interleave/*': { access: $all, publish: $all, unpublish: $all }
  'create-interleave': { access: $all, publish: $all, unpublish: $all }
  '**': { access: $all, proxy: npm }
log: { type: stdout, format: pretty, level: warn }
listen: ${new URL(url).host}
`
