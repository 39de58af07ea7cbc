import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, createServer, defaultClientConditions, defaultServerConditions } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

const source = '@interleave/source'
const run = promisify(execFile)

/** An app with mistakes: each function makes one of them. */
const app = `import { agent, tool } from '@interleave/core'
const model = { specificationVersion: 'v4', provider: 'x', modelId: 'x', supportedUrls: {}, doStream: async () => {} }
const named = { name: 'a', model }
const inputSchema = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) } } }
const errorOf = (make) => { try { make(); return 'none' } catch ({ name, code, message }) { return name + ' ' + code + ': ' + message } }
export const misspelled = () => errorOf(() => agent({ ...named, instrutions: 'Be brief.' }))
export const unapproved = () => errorOf(() => agent({ ...named, tools: { pay: tool({ inputSchema, execute: () => 'paid', approve: 'sometimes' }) } }))
export const plain = () => [
  errorOf(() => agent({ ...named, output: inputSchema })),
  errorOf(() => agent({ ...named, prices: { x: { input: 1, output: 1 } } })),
  errorOf(() => agent({ ...named, tools: { look: { inputSchema, execute: () => 'seen', next: { toolChoice: { type: 'none' } } } } })),
  errorOf(() => agent({ ...named, tools: { look: { inputSchema, execute: () => 'seen', onInputStart: () => {} } } })),
  errorOf(() => agent(named).start([{ type: 'file', mediaType: 'image/png', data: 'AAAA' }])),
]`

interface App {
  readonly misspelled: () => string
  readonly unapproved: () => string
  /** Plain values in place of capabilities. */
  readonly plain: () => readonly string[]
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'production-'))
  const scope = path.join(folder, 'node_modules/@interleave')
  await mkdir(scope, { recursive: true })
  await symlink(path.join(import.meta.dirname, '../../packages/core'), path.join(scope, 'core'))
  await writeFile(path.join(folder, 'app.ts'), app)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('has no sentence for developers in a production build of Vite', async () => {
  // Vite reads this to tell the builds apart, and vitest has set it.
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    resolve: { conditions: [source, ...defaultClientConditions] },
    build: { write: false, minify: true, lib: { entry: path.join(folder, 'app.ts'), formats: ['es'] } },
  })
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const scripts = chunks.flatMap((chunk) => ('code' in chunk ? [chunk] : []))
  await Promise.all(scripts.map(({ fileName, code }) => writeFile(path.join(folder, fileName), code)))
  const [entry] = scripts
  const { misspelled, unapproved, plain }: App = await import(
    pathToFileURL(path.join(folder, entry?.fileName ?? '')).href
  )
  const text = scripts.map(({ code }) => code).join('')

  expect(text).toContain('options_invalid')
  expect(text).not.toMatch(/Did you mean|needs a name|maxSteps|Give a model object|Rename one of them/)
  expect(misspelled()).toBe('none')
  const invalid = 'AgentError options_invalid: options_invalid (see @interleave/core/docs/errors.md)'
  expect(unapproved()).toBe(invalid)
  expect(new Set(plain())).toEqual(new Set([invalid]))
})

it('says in development which option was meant, and refuses the same approval', async () => {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true },
    ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  })
  try {
    const { misspelled, unapproved } = (await server.ssrLoadModule('/app.ts')) as Readonly<
      Record<keyof App, () => string>
    >

    expect(misspelled()).toContain('agent() has no option `instrutions`. Did you mean `instructions`?')
    expect(unapproved()).toContain('The `approve` of the tool "pay" must be')
  } finally {
    await server.close()
  }
})

it.each([
  [['production'], 'none', 'see @interleave/core/docs/errors.md'],
  [['development'], 'Did you mean `instructions`?', 'The `approve` of the tool "pay" must be'],
])('is the same in Node with the condition %s', async (conditions, first, second) => {
  const file = path.join(folder, 'main.mjs')
  await writeFile(file, `${app}\nconsole.log(misspelled())\nconsole.log(unapproved())`)
  const args = [source, ...conditions].map((condition) => `--conditions=${condition}`)
  const { stdout } = await run(process.execPath, [...args, file])

  expect(stdout.split('\n')).toEqual([expect.stringContaining(first), expect.stringContaining(second), ''])
})
