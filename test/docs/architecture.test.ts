import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const core = 'packages/core/src'
const page = read('docs/architecture.md').replace(/```[\s\S]*?```/g, '')
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

it('names only files of the core that exist', () => {
  const files = quoted(page).filter((name) => /^(?:[a-z]+\/[a-zA-Z]+|\w+\.ts|[a-z]+\/\w+\.ts)$/.test(name))

  const missing = files.filter((file) => !existsSync(path.join(root, core, file.replace(/(?:\.ts)?$/, '.ts'))))

  expect(files.length).toBeGreaterThan(15)
  expect(missing).toEqual([])
})

it('names the methods by which a pause is decided, stored and answered', () => {
  const methods = quoted(page).filter((name) => /^[A-Z]\w+\.\w+$/.test(name))
  const sources = quoted(page)
    .filter((name) => /^(?:engine|capabilities\/\w+)\/\w+\.ts$/.test(name))
    .map((file) => read(`${core}/${file}`))

  const missing = methods.filter((method) => {
    const [owner = '', name = ''] = method.split('.')
    const source = sources.find((text) => text.includes(`class ${owner} `) || text.includes(`class ${owner}<`))
    return !source?.split('\n').some((line) => / {2}(?:private |async |get )*(\w+)\(/.exec(line)?.[1] === name)
  })

  expect(methods.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

it('names only what hosts can import', () => {
  const rows = read('docs/write-a-host.md').match(/^\| `[^|]+\|/gm) ?? []
  const exported = [core, 'packages/connect/src'].map((folder) => read(`${folder}/internal.ts`)).join()

  const missing = rows.flatMap(quoted).filter((name) => !new Set(exported.match(/\w+/g)).has(name))

  expect(rows.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})
