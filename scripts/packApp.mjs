// Packs the packages of this clone into an app, where npm installs them from: no registry has to have them.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, root } from './fetch-tool.mjs'
import { run } from './toolchain.mjs'

/** The folder of an app with the packages. */
const folder = 'interleave'

/** Returns the name of each package that apps use, the folder that it is in, and what it depends on. */
const ownPackages = () =>
  readdirSync(path.join(root, 'packages'))
    .map((name) => ({ home: path.join(root, 'packages', name), ...readJson(path.join(root, 'packages', name)) }))
    .flatMap(({ home, name, dependencies = {} }) =>
      name.startsWith('@interleave/') ? [{ name, home, needs: Object.keys(dependencies) }] : [],
    )

/**
 * Packs all packages, which must be built, into an app and makes its package.json use them: for what the app has, and
 * for what they depend on themselves. Packages that are there already are replaced.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} app The folder of an app.
 */
export async function packApp(env, app) {
  if (!existsSync(path.join(app, 'package.json')))
    throw new Failure(`${app} has no package.json. Run \`npm init\` there first, or create an app: npm run new`)
  rmSync(path.join(app, folder), { recursive: true, force: true })
  mkdirSync(path.join(app, folder), { recursive: true })
  for (const { name, home } of ownPackages()) {
    const written = []
    const args = ['pack', '--out', path.join(app, fileOf(name))]
    const status = await run(env, 'pnpm', args, { cwd: home, onOutput: (text) => written.push(text) })
    if (status !== 0) throw new Failure(`${name} could not be packed:\n${written.join('')}`)
  }
  usePacked(app)
}

const fileOf = (name) => `${folder}/${name.slice('@interleave/'.length)}.tgz`

function usePacked(app) {
  const manifest = readJson(app)
  const packed = Object.fromEntries(ownPackages().map(({ name }) => [name, `file:${fileOf(name)}`]))
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(manifest[kind] ?? {})) if (packed[name]) manifest[kind][name] = packed[name]
  // npm looks for the file of an optional peer in the wrong folder, and says that it is corrupted.
  const needed = new Set(ownPackages().flatMap(({ needs }) => needs))
  const others = Object.entries(manifest.overrides ?? {}).filter(([name]) => !packed[name])
  const overridden = Object.entries(packed).filter(([name]) => needed.has(name))
  manifest.overrides = Object.fromEntries([...others, ...overridden])
  writeJson(path.join(app, 'package.json'), manifest)
  forgetInstalled(app)
}

/** npm would compare new packages with what it knows of the old ones. */
function forgetInstalled(app) {
  rmSync(path.join(app, 'node_modules', '@interleave'), { recursive: true, force: true })
  rmSync(path.join(app, 'node_modules', '.package-lock.json'), { force: true })
  const file = path.join(app, 'package-lock.json')
  if (!existsSync(file)) return
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  for (const [place, entry] of Object.entries(lock.packages ?? {}))
    if (place.includes('node_modules/@interleave/')) delete entry.integrity
  writeJson(file, lock)
}

const readJson = (home) => JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
