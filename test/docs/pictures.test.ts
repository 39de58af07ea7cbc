import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

it('shows every picture that there is, and none that there is not', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const shown = [...readme.matchAll(/!\[[^\]]+\]\(docs\/images\/([^)]+)\)/g)].map(([, name]) => name)

  expect(shown.toSorted()).toEqual(readdirSync(path.join(root, 'docs/images')).toSorted())
})
