import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'

const page = readFileSync(path.join(root, 'docs/requirements.md'), 'utf8')
const rows = [...page.matchAll(/^\| (?!asked for|---)(.*) \| (.*) \| (.*) \|$/gm)].map(
  ([, asked = '', here = '', shown = '']) => ({ asked, here: linksIn(here), shown: linksIn(shown) }),
)

function linksIn(cell: string): { words: string; target: string }[] {
  return [...cell.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)].map(([, words = '', target = '']) => ({ words, target }))
}

it.each(rows)('has a place and a proof for: $asked', ({ here, shown }) => {
  expect(here).not.toEqual([])
  expect(shown).not.toEqual([])
})

/** The page names tests by their titles, so a test that is renamed or gone shows itself here. */
const tests = rows.flatMap(({ shown }) => shown.filter(({ target }) => target.endsWith('.test.ts')))

it.each(tests)('$target has a test that "$words"', ({ words, target }) => {
  const source = readFileSync(path.join(root, 'docs', target), 'utf8')

  expect(words.length).toBeGreaterThan(10)
  expect(source).toContain(words)
})
