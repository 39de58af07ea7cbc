import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { codeBlocks, root } from './codeBlocks.ts'

const run = promisify(execFile)

/** Beside the packages that the programs import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated')
mkdirSync(folder, { recursive: true })

const documents = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

it('runs the first program of the README', async () => {
  const [program = ''] = codeBlocks('README.md', 'ts')
  const scripted = `
    import { scriptedModel } from '@interleave/core/testing'
    const openai = (_: string) => scriptedModel(
      { calls: [{ name: 'bookTable', input: { people: 4 } }] },
      ({ prompt }) => JSON.stringify(prompt.at(-1)).match(/Booked for [^"]*/)?.[0] ?? 'Nothing was booked.',
    )`
  const file = path.join(folder, 'readme.mts')
  writeFileSync(file, program.replace(/^import \{ openai \}.*$/m, scripted))

  const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', file])

  expect(stdout).toContain('Booked for 4 at 20:30.')
})

it.each(documents)('%s links only to what is there', (document) => {
  const text = readFileSync(path.join(root, document), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)

  for (const target of targets.filter((link) => !/^[a-z]+:/.test(link))) {
    const [file = '', anchor] = target.split('#')
    const found = file === '' ? path.join(root, document) : path.resolve(root, path.dirname(document), file)
    expect(existsSync(found), target).toBe(true)
    if (anchor) expect(anchorsOf(readFileSync(found, 'utf8')), target).toContain(anchor)
  }
})

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  )

it('documents every name that the core exports', () => {
  const doors = [
    'index',
    'agents',
    'steps',
    'text',
    'graph',
    'config',
    'observe',
    'journal',
    'journal/indexedDb',
    'tabs',
    'worker',
    'server',
    'server/node',
    'remote',
    'durable-object',
    'place',
    'testing',
    'ai-sdk',
  ].map((door) => (door === 'index' ? door : `${door}/index`))
  const exported = doors.map((door) => readFileSync(path.join(root, `packages/core/src/${door}.ts`), 'utf8')).join('\n')
  const values = [...exported.matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
  const text = documents.map((name) => readFileSync(path.join(root, name), 'utf8')).join('\n')

  expect(values.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})
