// The Node and the pnpm that package.json names, whatever machine this is.
//
// It runs on any Node >= 18 without a dependency.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { Failure, fetchNode, fetchTool, root } from './fetch-tool.mjs'
import { engines } from './find-engines.mjs'
import { programs } from './find-programs.mjs'
import { satisfies } from './version.mjs'

export { Failure, root }

const windows = process.platform === 'win32'
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

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
  try {
    return await fetchNode(node)
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

/** Returns the environment of every command: our Node, our pnpm and the tools of node_modules first on PATH. */
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

/** All commands that run now. */
const children = new Set()
const killAll = (signal) => {
  for (const child of children) child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => killAll(signal))

// npm ends on a signal without telling the shell's child, which is this: nobody is left to serve then.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) killAll('SIGTERM')
}, 500).unref()

/** Windows starts a .cmd only by its shell, which takes one line. */
const quote = (word) => (/[\s"&|<>^()%!]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word)

/**
 * Runs a command to its end and gives its exit status. `onMessage` receives what it sends, where there is no shell
 * between; `onOutput` what it writes, which is not shown then.
 */
export function run(env, command, args, { onMessage, onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const output = onOutput ? 'pipe' : 'inherit'
    const stdio = ['inherit', output, output, ...(onMessage && !windows ? ['ipc'] : [])]
    const settings = { cwd: root, stdio, env, ...options }
    const child = windows
      ? spawn([command, ...args].map(quote).join(' '), { ...settings, shell: true })
      : spawn(command, args, settings)
    children.add(child)
    if (onMessage) child.on('message', (message) => onMessage(message, child))
    for (const stream of onOutput ? [child.stdout, child.stderr] : []) stream.on('data', onOutput)
    child.on('error', (error) => {
      children.delete(child)
      reject(error)
    })
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve(signal ? 130 : (code ?? 1))
    })
  })
}

/** Makes the tools and node_modules ready, and gives the environment to run commands in. */
export async function setup() {
  const env = await environment()
  const frozen = env.CI && env.CI !== 'false' ? ['--frozen-lockfile'] : []
  const status = await run(env, 'pnpm', ['install', '--reporter=append-only', '--loglevel=warn', ...frozen])
  if (status !== 0) throw new Failure('pnpm could not install the dependencies.')
  return env
}

/** Makes what the tests start ready: the machine's own, or that of apt where this may install it. */
export async function ensurePrograms(env, names) {
  const all = { ...engines, ...programs }
  const missing = () => [...names].filter((name) => !all[name].find())
  const lacking = missing()
  if (lacking.length === 0) return
  const apt = aptOf(env)
  const packages = lacking.flatMap((name) => (apt ? all[name][apt.system] : []))
  if (apt && packages.length > 0) {
    process.stderr.write(`Installing ${packages.join(', ')} for the tests (once) ...\n`)
    const [command, ...words] = [...apt.sudo, 'apt-get', '-qq']
    const options = { stdio: ['ignore', 'ignore', 'inherit'] }
    const quietly = { ...env, DEBIAN_FRONTEND: 'noninteractive' }
    await run(quietly, command, [...words, 'update'], options)
    await run(quietly, command, [...words, 'install', '-y', '--no-install-recommends', ...packages], options)
  }
  const [first] = missing()
  if (first) throw new Failure(all[first].advice)
}

/** How packages are installed: as root, or as the user of a machine of continuous integration, who may become root. */
function aptOf({ CI }) {
  if (process.platform !== 'linux' || !existsSync('/etc/os-release')) return
  const [, system] = /^ID=(debian|ubuntu)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  if (!system) return
  if (process.getuid() === 0) return { system, sudo: [] }
  if (CI && CI !== 'false') return { system, sudo: ['sudo', '-n'] }
}
