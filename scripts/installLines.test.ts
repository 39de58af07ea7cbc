import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { releaseOf } from '../packages/create-interleave/src/release.ts'
import { root } from './fetch-tool.mjs'
import { currentVersion, pages, withInstallLines } from './installLines.mjs'

const read = (page: string): string => readFileSync(path.join(root, page), 'utf8')
const texts = pages().map((page) => ({ page, text: read(page) }))

it('has pages that say how to install', () => {
  expect(texts.filter(({ text }) => /<!-- new app -->/.test(text)).map(({ page }) => page)).toEqual([
    'README.md',
    'docs/getting-started.md',
    'docs/index.md',
    'packages/create-interleave/README.md',
  ])
  expect(texts.filter(({ text }) => /npm install (?:@|\.\/)interleave/.test(text)).length).toBeGreaterThan(5)
})

const pagesWhere = (isSo: (text: string) => boolean): string[] =>
  texts.filter(({ text }) => isSo(text)).map(({ page }) => page)

it('says on each page how to install what is there today', () => {
  expect(pagesWhere((text) => text !== withInstallLines(text, currentVersion()))).toEqual([])
})

it.each(['0.0.0', '0.1.0'])('gives commands to copy, with no placeholder in them, for %s', (version) => {
  const commands = texts.flatMap(({ text }) =>
    [...withInstallLines(text, version).matchAll(/^npm (?:run new|create) [^#\n]*/gm)].map(([line]) => line.trim()),
  )

  expect(commands).toContain(releaseOf(version).createMine)
  expect(commands.filter((command) => command.includes('['))).toEqual([])
})

it('says what a release needs, and returns', () => {
  const released = (text: string): string => withInstallLines(text, '0.1.0')

  expect(pagesWhere((text) => /interleave\/[\w-]+\.tgz|npm run (?:new|pack)/.test(released(text)))).toEqual([])
  expect(pagesWhere((text) => withInstallLines(released(text), '0.0.0') !== withInstallLines(text, '0.0.0'))).toEqual(
    [],
  )
})

it('sends no reader to a package of npm that is not there, or not ours', () => {
  const later = /Once 0\.1\.0 is on npm, the first line is\n`npm create interleave@latest my-agent`/g
  const missing = /npm (?:create|init) interleave|npx create-interleave|npm (?:install|i) @interleave/

  expect(pagesWhere((text) => missing.test(withInstallLines(text, '0.0.0').replaceAll(later, '')))).toEqual([])
  expect(pagesWhere((text) => /(?:install|add|i) interleave(?![\w/-])/.test(text))).toEqual([])
})
