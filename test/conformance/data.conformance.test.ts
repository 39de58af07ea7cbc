import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder, hasData } from './data.ts'

it.skipIf(!hasData)('finds a manifest of recorded provider streams', () => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(dataFolder, 'sse', 'manifest.json'), 'utf8'))

  expect(manifest).toBeTypeOf('object')
})
