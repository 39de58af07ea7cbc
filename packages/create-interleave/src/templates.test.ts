import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
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

it.each(templateNames)('%s fits on a screen', (template) => {
  for (const file of ['src/waiter.ts', 'src/model.ts', 'src/Chat.tsx']) {
    expect(readFileSync(path.join(folder, template, file), 'utf8').split('\n').length, file).toBeLessThan(80)
  }
})
