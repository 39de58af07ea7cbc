import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { release } from './createProject.ts'
import { templateNames } from './templates.ts'

const program = path.join(import.meta.dirname, 'index.ts')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'create-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command in an empty folder, without a terminal, as the package manager of `agent` does. */
const create = (args: readonly string[], agent = 'npm/11.0.0 node/v24.0.0') =>
  new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: folder, env: { ...process.env, npm_config_user_agent: agent } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

it.each(templateNames)('creates %s with all that it needs', async (template) => {
  const { code } = await create(['My App', '--template', template])

  const files = readdirSync(path.join(folder, 'My App'), { recursive: true, encoding: 'utf8' })
  const { name, engines, dependencies } = JSON.parse(read('My App/package.json'))
  expect(code).toBe(0)
  expect(files).toEqual(
    expect.arrayContaining([
      '.gitignore',
      '.vscode/settings.json',
      'AGENTS.md',
      'README.md',
      'public/favicon.svg',
      'src/model.ts',
      'src/waiter.test.ts',
    ]),
  )
  expect(files.filter((file) => path.basename(file).startsWith('_'))).toEqual([])
  expect(read('My App/AGENTS.md').trim().split('\n')).toHaveLength(5)
  expect({ name, engines }).toEqual({ name: 'my-app', engines: { node: '>=22.18' } })
  expect(dependencies['@interleave/core']).toBe(release.versionOf('@interleave/core'))
})

it('says what to do next, in the words of the package manager that runs it', async () => {
  const npm = await create(['one'])
  const pnpm = await create(['two words'], 'pnpm/12.21.0 npm/? node/v24.0.0')

  expect(npm.stdout).toMatch(/cd one\n {2}npm install\n {2}npm run dev\n/)
  expect(pnpm.stdout).toMatch(/cd "two words"\n {2}pnpm install\n {2}pnpm run dev\n/)
})

it.each([
  [['app', '--template', 'svelte'], /must be one of vite-react, .*There is no "svelte"/],
  [['app', 'other'], /Pass one directory\. There are 2: app, other/],
  [['app', '--color'], /--color/],
  [[' '], /needs a name/],
  [['full'], /"full" is not empty\. .*--overwrite/],
  [['file', '--overwrite'], /"file" is a file/],
  [['file/app'], /"file\/app" cannot be written: ENOTDIR.*Choose another directory/],
  [['x'.repeat(300)], /cannot be written: ENAMETOOLONG.*Choose another directory/],
])('exits with 1 and says what is wrong with %j, and writes nothing', async (args, message) => {
  mkdirSync(path.join(folder, 'full'))
  writeFileSync(path.join(folder, 'full/notes.md'), 'mine')
  writeFileSync(path.join(folder, 'file'), 'mine')

  const { code, stderr } = await create(args)

  expect(code).toBe(1)
  expect(stderr).toMatch(message)
  expect(stderr).toContain('--no-interactive')
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['file', 'full', 'full/notes.md'])
})

it('overwrites files of the same name alone', async () => {
  mkdirSync(path.join(folder, 'app'))
  writeFileSync(path.join(folder, 'app/notes.md'), 'mine')
  writeFileSync(path.join(folder, 'app/package.json'), '{"name":"old"}')

  const { code } = await create(['app', '--overwrite', '--no-interactive'])

  expect(code).toBe(0)
  expect(read('app/notes.md')).toBe('mine')
  expect(JSON.parse(read('app/package.json')).name).toBe('app')
})

it('keeps the history of a new repository', async () => {
  mkdirSync(path.join(folder, '.git'))

  expect((await create(['.'])).code).toBe(0)
})

it('shows its help', async () => {
  const { code, stdout } = await create(['--help'])

  expect(code).toBe(0)
  for (const word of ['--template', '--overwrite', '--no-interactive', ...templateNames]) expect(stdout).toContain(word)
})

it('says on an older Node which one it needs', async () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})`
  const { stderr, code } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, ['--import', old, program, 'app'], { cwd: folder }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  )

  expect(code).toBe(1)
  expect(stderr).toContain('Interleave needs Node 22 or later. This is Node 20.19.0')
  expect(readdirSync(folder)).toEqual([])
})
