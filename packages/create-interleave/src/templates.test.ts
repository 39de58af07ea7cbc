import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createProject } from './createProject.ts'
import { templateNames } from './templates.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
/** Beside the packages that the templates import; ignored by git. */
const folder = path.join(import.meta.dirname, '../.generated')
const first = 'vite-react'

rmSync(folder, { recursive: true, force: true })
for (const template of templateNames) createProject(path.join(folder, template), template)

const manifestOf = (template: string) =>
  JSON.parse(readFileSync(path.join(folder, template, 'package.json'), 'utf8')) as {
    readonly dependencies: Record<string, string>
    readonly devDependencies: Record<string, string>
    readonly scripts: Record<string, string>
  }

it('all templates compile against the sources of the packages', async () => {
  const compilerOptions = { customConditions: ['@interleave/source'] }
  const include = templateNames.map((template) => `${template}/src`)
  const file = path.join(folder, 'tsconfig.json')
  writeFileSync(file, JSON.stringify({ extends: `./${first}/tsconfig.json`, compilerOptions, include }))
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')

  await expect(run(process.execPath, [tsc, '-p', file])).resolves.toBeDefined()
})

it('the test of the templates passes', async () => {
  const cwd = path.join(folder, first)
  const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', '--test'], { cwd })

  expect(stdout).toContain('pass 1')
})

/** Next.js needs the TypeScript that is written in JavaScript; wrangler is the one that @cloudflare/vite-plugin brings. */
const ownVersions = ['typescript', 'wrangler']

it.each(templateNames)('%s pins the versions that are tested here', (template) => {
  const workspace = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')
  const { dependencies, devDependencies } = manifestOf(template)
  const others = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([name]) => !name.startsWith('@interleave/'),
  )

  for (const [name, version] of others) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
    const [, tested = version] = new RegExp(`^ {2}"?${name}"?: (\\S+)$`, 'm').exec(workspace) ?? []
    if (!ownVersions.includes(name)) expect(version, name).toBe(tested)
  }
})

it.each(templateNames)('%s describes its own commands and files', (template) => {
  const { scripts } = manifestOf(template)
  const readme = readFileSync(path.join(folder, template, 'README.md'), 'utf8')
  const commands = [...readme.matchAll(/`npm (?:run )?(\w+)`/g)].map(([, name = '']) => name)
  const files = [...readme.matchAll(/\| `(src\/[^`]+)`/g)].map(([, file = '']) => file)

  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands))
  for (const file of files) expect(existsSync(path.join(folder, template, file)), file).toBe(true)
})

/** Imports the secret of an app that is not served by Vite, as `npm start` does. */
const secretOf = (template: string, env: Record<string, string>) =>
  run(process.execPath, ['--input-type=module', '-e', "console.log((await import('./src/secret.ts')).secret)"], {
    cwd: path.join(folder, template),
    env: { PATH: process.env.PATH ?? '', ...env },
  })

it.each([
  ['node-hono', {}],
  ['node-hono', { NODE_ENV: 'production' }],
  ['next-app-router', { NODE_ENV: 'production' }],
])('%s does not start with %j and no secret', async (template, env) => {
  await expect(secretOf(template, env)).rejects.toThrow(/SECRET is not set\. Run `echo SECRET=/)
  await expect(secretOf(template, { ...env, SECRET: '' })).rejects.toThrow('SECRET is not set.')
  expect((await secretOf(template, { ...env, SECRET: 'mine' })).stdout).toBe('mine\n')
})

it('next-app-router makes a secret in development, and builds without one', async () => {
  const { stdout } = await secretOf('next-app-router', { NODE_ENV: 'development' })
  const building = await secretOf('next-app-router', { NODE_ENV: 'production', NEXT_PHASE: 'phase-production-build' })

  expect(stdout).toMatch(/^SECRET is not set: this start has one of its own\.\n[\da-f-]{72}\n$/)
  expect(building.stdout).toMatch(/^[\da-f-]{72}\n$/)
})

it('next-app-router keeps its secret when Next evaluates the module again in development', async () => {
  const twice = `const load = async (n) => (await import('./src/secret.ts?' + n)).secret
    console.log((await load(1)) === (await load(2)))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', twice], {
    cwd: path.join(folder, 'next-app-router'),
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'development' },
  })

  expect(stdout).toBe('SECRET is not set: this start has one of its own.\ntrue\n')
})

it.each(templateNames)('%s fits on a screen', (template) => {
  for (const file of ['src/waiter.ts', 'src/model.ts', 'src/Chat.tsx']) {
    expect(readFileSync(path.join(folder, template, file), 'utf8').split('\n').length, file).toBeLessThan(80)
  }
})
