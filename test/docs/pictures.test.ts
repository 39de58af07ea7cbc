import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

it('shows every picture that there is, and none that there is not', () => {
  const shown = ['README.md', 'docs/benchmarks.md'].flatMap((page) => {
    const written = readFileSync(path.join(root, page), 'utf8')
    return [...written.matchAll(/!\[[^\]]+\]\((?:docs\/)?images\/([^)]+)\)/g)].map(([, name = '']) => name)
  })
  const files = readdirSync(path.join(root, 'docs/images'), { recursive: true, withFileTypes: true })
  const names = files
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, 'docs/images'), path.join(entry.parentPath, entry.name)))

  expect(shown.toSorted()).toEqual(names.toSorted())
})
