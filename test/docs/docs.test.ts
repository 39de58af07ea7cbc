import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sidebar } from '../../docs/.vitepress/sidebar.ts'
import { pages } from './blocksOf.ts'
import { codeBlocks, root } from './codeBlocks.ts'

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const documents = [...pages, 'CONTRIBUTING.md', 'apps/playground/README.md']

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

it('has every page of the docs in the sidebar of the site', () => {
  const linked = (sidebar()['/'] as { items?: { link?: string }[] }[]).flatMap(({ items = [] }) => items)

  expect(linked.map(({ link }) => `docs${link}.md`).toSorted()).toEqual(
    pages.filter((name) => name.startsWith('docs/') && name !== 'docs/index.md').toSorted(),
  )
})

it('has the chapters of the site in the README', () => {
  const chapters = sidebar()['/'] as { text?: string; items?: { link?: string }[] }[]
  const own = chapters.filter(({ text = '' }) => text !== 'Tutorial' && text !== 'Decisions')
  const table = read('README.md').split('## Documentation')[1] ?? ''
  const rows = [...table.matchAll(/^\| (\w[^|]*) \| (.*) \|$/gm)].map(([, text, links = '']) => ({
    text,
    pages: [...links.matchAll(/\(docs\/([\w-]+)\.md\)/g)].map(([, page]) => `/${page}`),
  }))

  expect(rows).toEqual(own.map(({ text, items = [] }) => ({ text, pages: items.map(({ link }) => link) })))
})

it('installs the version of each provider that the packages need', () => {
  const catalog = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')
  const lines = documents.flatMap((name) =>
    [...readFileSync(path.join(root, name), 'utf8').matchAll(/npm (?:install|i|add) ([^\n`]*)/g)].map(
      ([, list = '']) => list,
    ),
  )
  const named = lines.join(' ').match(/@ai-sdk\/[\w@.-]+/g) ?? []

  expect(named).not.toEqual([])
  for (const each of named) {
    const [, name = '', major] = /^(@ai-sdk\/[\w-]+)(?:@(\d+))?$/.exec(each) ?? []
    expect(major, each).toBe(new RegExp(`"${name}": (\\d+)`).exec(catalog)?.[1])
  }
})

it('gives the sizes that the budget allows and the benchmarks measured', () => {
  const budgets: { readonly name: string; readonly limit: string }[] = JSON.parse(read('.size-limit.json'))
  const [hello] = budgets
  const [, withZod] = /hello agent, with zod \(kB gzip\) \| ([\d.]+)/.exec(read('docs/benchmarks.md')) ?? []

  expect(hello?.name).toBe('an agent with a tool')
  const kilobytes = Math.round(Number.parseFloat(hello?.limit ?? ''))
  expect(read('README.md')).toContain(`A first agent with one tool is ${kilobytes} kB gzipped`)
  expect(read('README.md')).toContain(`(${Math.round(Number(withZod))} kB with zod)`)
  expect(read('docs/index.md')).toContain(`A first agent is ${kilobytes} kB.`)
  const client = Number.parseFloat(budgets.find(({ name }) => name === 'an MCP client')?.limit ?? '')
  expect(read('docs/mcp.md')).toMatch(new RegExp(`The client is\\s${Math.round(client)} kB gzip`))
})

it('says of time only what the benchmarks measured', () => {
  const table = read('docs/benchmarks.md')
  const cellsOf = (row: string): number[] =>
    [...table.matchAll(new RegExp(`^\\| ${row}[^|]*\\| [^|]*\\| ([\\d.,]+)`, 'gm'))].map(([, ours]) => Number(ours))
  const [iterations, takeovers] = [
    cellsOf('in (?:a run|runs) of [^|]*µs CPU'),
    cellsOf('from the end of a tab to the next turn'),
  ]

  expect(read('README.md')).toContain('A turn costs less than 0.1 ms.')
  expect([iterations.length, Math.max(...iterations) < 100]).toEqual([7, true])
  expect(read('docs/tabs.md')).toContain('within a tenth of a second')
  expect([takeovers.length, Math.max(...takeovers) < 100]).toEqual([1, true])
})

it.each([
  ['docs/coming-from.md', 'Five lines change:', 5],
  ['docs/react.md', 'these eight lines give', 8],
])('%s shows as many lines as it says: %s', (page, words, count) => {
  const [, , block = ''] = /```(\w+)\n([\s\S]*?)^```/m.exec(read(page).split(words)[1] ?? '') ?? []
  const lines = block
    .trim()
    .split('\n')
    .filter((line) => /^\+|^ +\S/.test(line))

  expect(lines.length).toBe(count)
})

it('has a row for each code of an error, and for no other', () => {
  const [type = ''] = /export type ErrorCode =([^/]*)/.exec(read('packages/core/src/error.ts')) ?? []
  const codes = [...type.matchAll(/\| '(\w+)'/g)].map(([, code]) => code)
  const rows = [...read('docs/errors.md').matchAll(/^\| (`[^|]+`) \|/gm)]
  const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code))

  expect(codes.length).toBeGreaterThan(40)
  expect(named.toSorted()).toEqual(codes.toSorted())
})

it('runs the program of the README on the first page of the site', () => {
  const [program = ''] = codeBlocks('README.md', 'ts')
  const agent = program.slice(program.indexOf('const bookTable')).replace('export const waiter', 'const waiter')

  expect(agent).toContain('const waiter = agent(')
  expect(read('docs/live/waiter.tsx')).toContain(agent.trim())
})

it('has a README that can be skimmed', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(200)
})

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  )

const packages = readdirSync(path.join(root, 'packages'))

/** The files of a package's public entry points. */
function entryFilesOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
  return Object.entries<Record<string, unknown>>(exports)
    .filter(([subpath]) => !['./internal', './shapes'].includes(subpath))
    .map(([, targets]) => targets['@interleave/source'])
    .filter((file): file is string => typeof file === 'string')
    .map((file) => path.posix.join(folder, file))
}

/** Names of the browser, of other libraries and of an app that the pages mention. */
const ofOthers = [
  'extendedLifetime',
  'extractReasoningMiddleware',
  'localStorage',
  'persistQueryClient',
  'prepareStep',
  'sessionOf',
]

it('speaks of no option or function that is not in the sources', () => {
  const sources = [...packages.map((name) => `packages/${name}/src`), 'apps/edge/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
  )
  const words = new Set([...(sources.join('\n').match(/[A-Za-z_$][\w$]*/g) ?? []), ...ofOthers])
  const missing = pages.flatMap((name) =>
    [...wordsOfOurs(name).matchAll(/`([a-z]+[A-Z]\w*)(?:\([^`]*\))?`/g)]
      .filter(([, word = '']) => !words.has(word))
      .map(([, word]) => `${name}: ${word}`),
  )

  expect(missing).toEqual([])
})

/** The text of a page. On the one about other libraries, the first column of each table has their names. */
function wordsOfOurs(name: string): string {
  const text = readFileSync(path.join(root, name), 'utf8')
  return name === 'docs/coming-from.md' ? text.replaceAll(/^\|[^|]*\|/gm, '|') : text
}

it('documents every name that the packages export', () => {
  const exported = packages
    .flatMap((name) => entryFilesOf(`packages/${name}`))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')
  const values = [...exported.matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
  const text = documents.map((name) => readFileSync(path.join(root, name), 'utf8')).join('\n')

  expect(values.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})
