import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pages } from './blocksOf.ts'
import { root } from './codeBlocks.ts'

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const providers = pages.flatMap((document) =>
  [...read(document).matchAll(/npm (?:install|i) [^`]*/g)]
    .flatMap(([commands]) => [...commands.matchAll(/(@(?:ai-sdk|openrouter)\/[\w-]+)(@\d+)?/g)])
    .map(([, name = '', version]) => ({ document, name, version })),
)
const workspace = read('pnpm-workspace.yaml')

it('finds providers to install', () => {
  expect(providers.map(({ document }) => document)).toEqual(
    expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/models.md']),
  )
})

it.each(providers)('$document installs $name with the version that is tested', ({ name, version }) => {
  const [, major] = new RegExp(`"${name}": (\\d+)\\.`).exec(workspace) ?? []

  expect(major).toBeDefined()
  expect(version).toBe(`@${major}`)
})

/** The packages that a page installs, and those that its code imports. */
const installedBy = (page: string): string[] =>
  (read(page).match(/npm install [^`\n]+/g) ?? []).flatMap((line) => line.match(/(?<=@?interleave\/)\w+/g) ?? [])
const importedBy = (page: string): string[] => read(page).match(/(?<=from '@interleave\/)\w+/g) ?? []
const tutorial = pages.filter((page) => page.startsWith('docs/tutorial/'))

it.each(tutorial)('%s says how to install what it imports, or the first page does', (page) => {
  expect([...installedBy(tutorial[0] ?? ''), ...installedBy(page)]).toEqual(expect.arrayContaining(importedBy(page)))
})

const packages = readdirSync(path.join(root, 'packages'))

it.each(packages)('the package %s says which Node it needs', (name) => {
  expect(JSON.parse(read(`packages/${name}/package.json`))).toMatchObject({ engines: { node: '>=22' } })
})

it('all packages are released with one version', () => {
  const names = packages.map((name) => JSON.parse(read(`packages/${name}/package.json`)).name)

  expect(JSON.parse(read('.changeset/config.json')).fixed).toEqual([names.toSorted()])
  expect(new Set(packages.map((name) => JSON.parse(read(`packages/${name}/package.json`)).version)).size).toBe(1)
})

it.each(packages)('the package %s publishes its own files alone', (name) => {
  const { files } = JSON.parse(read(`packages/${name}/package.json`))

  expect(files).toContain('dist')
  for (const each of files) expect(['dist', 'docs', 'skills', 'templates/**', 'sandbox.html']).toContain(each)
})

it('names the versions of the front ends that are tested', () => {
  const [, copilotKit] =
    /version = '(\d+\.\d+)\./.exec(read('packages/ag-ui/src/frontEnd/copilotKit.nightly.test.ts')) ?? []
  const [, tanStack] = /"@tanstack\/ai-client": (\d+\.\d+)\./.exec(workspace) ?? []

  expect(read('docs/ag-ui.md')).toContain(`In CopilotKit (tested: ${copilotKit}), `)
  expect(read('docs/ag-ui.md')).toContain(`In TanStack AI (tested: ${tanStack}), `)
})

it('names the versions of other libraries that the packages need', () => {
  const rangeOf = (name: string, of: string): string => {
    const { peerDependencies, dependencies } = JSON.parse(read(`packages/${name}/package.json`))
    return { ...dependencies, ...peerDependencies }[of].replaceAll(/\^|\.0(?= |$)/g, '')
  }
  const [ai, zod] = [rangeOf('ai-sdk', 'ai'), rangeOf('config', 'zod')]

  expect(read('docs/ai-sdk.md')).toContain(`It needs \`ai\` ${ai} or later.`)
  expect(read('packages/ai-sdk/README.md')).toContain(`It needs \`ai\` ${Number.parseInt(ai, 10)}.`)
  for (const page of ['docs/getting-started.md', 'docs/tools.md'])
    expect(read(page).replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`zod (?:\\()?${zod} or later`))
  expect(rangeOf('react', 'react')).toBe('18.3 || 19.0')
  expect(read('packages/react/README.md')).toContain('Requires React 18.3 or 19.')
})
