#!/usr/bin/env node
// The one way into this repository: `npm start`, `npm test`, `npm run x -- <command>`.

import path from 'node:path'
import process from 'node:process'
import { edge } from './edge.mjs'
import { newApp, pack } from './newApp.mjs'
import { restate } from './restate.mjs'
import { serve } from './serve.mjs'
import { check, test, testAll, testSlow } from './test.mjs'
import { Failure, root, run, setup } from './toolchain.mjs'

// Tells for each file of the data what came of its rows.
const table = path.join(root, 'test', 'conformance', 'tableReporter.ts')

const playground = path.join(root, 'apps', 'playground')

const commands = {
  /** Makes the tools and node_modules ready. */
  setup: async () => {
    await setup()
    return 0
  },
  /** Builds the playground and serves it. Builds nothing if nothing has changed. */
  start: async (args) => {
    const env = await setup()
    const status = await run(env, 'turbo', [
      'run',
      'build',
      '--filter=@interleave/playground',
      '--output-logs=errors-only',
    ])
    return status === 0 ? serve(env, args) : status
  },
  /** Serves the playground from the packages' sources, and again after each change. */
  dev: async (args) => run(await setup(), 'vite', args, { cwd: playground }),
  /** Serves the built playground, and its runs from Durable Objects, in workerd. */
  edge,
  /** Serves the playground, and its runs from Restate, with a worker that may be killed. */
  restate,
  /** Creates an app, with the packages of this clone. */
  new: newApp,
  /** Puts the packages of this clone into an app. */
  pack,
  test,
  /** Runs the test files that take too long for `npm test`. */
  'test:soak': testSlow('soak'),
  /** Runs those that take too long for continuous integration. */
  'test:nightly': testSlow('nightly'),
  check,
  /** Holds the packages against data recorded from real models; CONFORMANCE_DIR names another folder of it. */
  conformance: (args) => testAll(['--project=conformance', '--reporter=default', `--reporter=${table}`, ...args]),
  /** Measures the built packages. */
  bench: (args) => bench('run.ts', args),
  /** Kills agents in the middle of a payment: ours in several places, and those of other libraries. */
  'bench:crash': (args) => bench('crash/run.ts', args),
  /** Serves the docs as a site, and again after each change. */
  docs: async (args) => site(['run', 'dev', ...args]),
  /** Builds the site into docs/.vitepress/dist. */
  'docs:build': async (args) => site(['run', 'site', ...args]),
  format: async (args) => run(await setup(), 'biome', ['check', '--write', ...(args.length > 0 ? args : ['.'])]),
  /** Runs any command of the repository, on the right Node. */
  x: async ([command, ...args]) => {
    if (!command) throw new Failure('npm run x -- <command> [argument ...]')
    return run(await setup(), command, args, { cwd: process.env.INIT_CWD ?? root })
  },
}

/** Builds the packages, installs the peers, and runs a program of `bench`. */
async function bench(program, args) {
  const env = await setup()
  const status = await run(env, 'turbo', ['run', 'build', '--filter=./packages/*', '--output-logs=errors-only'])
  if (status !== 0) return status
  // The peers are no part of the workspace. Without them, the others are measured.
  const install = [
    'install',
    '--ignore-workspace',
    '--frozen-lockfile',
    '--ignore-scripts',
    '--dir',
    path.join('bench', 'peers'),
    '--loglevel=error',
  ]
  if ((await run(env, 'pnpm', install)) !== 0) process.stderr.write('The peers could not be installed.\n')
  return run(env, 'node', [path.join('bench', program), ...args])
}

const site = async (args) => run(await setup(), 'pnpm', ['--filter=@interleave/docs', ...args])

const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) {
  process.stderr.write(`node scripts/run.mjs ${Object.keys(commands).join(' | ')}\n`)
  process.exit(2)
}
try {
  process.exitCode = await command(args)
} catch (error) {
  if (!(error instanceof Failure)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
