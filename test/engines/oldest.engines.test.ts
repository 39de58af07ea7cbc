import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { browserNames, type Feature, featuresOf } from './features/featuresOf.ts'

const root = path.join(import.meta.dirname, '../..')
/** The packages whose code runs in pages. */
const inPages = ['ai-sdk', 'browser', 'connect', 'core', 'devtools', 'mcp', 'react', 'text', 'webmcp']
const files = globSync(
  inPages.map((name) => `packages/${name}/dist/**/*.js`),
  { cwd: root },
)

/** What the packages use only in browsers that have it. */
const handled = ['PublicKeyCredential.getClientCapabilities', 'PublicKeyCredential.signalUnknownCredential']

const guide = readFileSync(path.join(root, 'docs/which-host.md'), 'utf8')
const [, chrome = '', firefox = '', safari = ''] =
  /Chrome or Edge (\d+), Firefox (\d+), Safari ([\d.]+)/.exec(guide) ?? []
const oldest: Feature['since'] = {
  chrome: Number(chrome),
  edge: Number(chrome),
  firefox: Number(firefox),
  safari: Number(safari),
}

const used = new Map(
  files.flatMap((file) => featuresOf(path.join(root, file)).map((each) => [each.name, each] as const)),
)

/** The features that such browsers lack. */
const lackedBy = (versions: Feature['since']): readonly string[] =>
  [...used.values()]
    .filter(({ since }) => browserNames.some((browser) => since[browser] > versions[browser]))
    .map(({ name }) => name)
    .sort()

test('the built packages use nothing that the oldest browsers of the guide lack', () => {
  expect(lackedBy(oldest)).toEqual(handled)
})

test.each([
  ['chrome', 115, 'AbortSignal.any'],
  ['firefox', 123, 'AbortSignal.any'],
  ['safari', 17.3, 'AbortSignal.any'],
  ['chrome', 109, 'Array.toSorted'],
] as const)('it would be seen if the guide named %s %d', (browser, version, feature) => {
  expect(lackedBy({ ...oldest, [browser]: version })).toContain(feature)
})
