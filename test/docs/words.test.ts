import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pages } from './blocksOf.ts'
import { root } from './codeBlocks.ts'
import { proseOfPage, proseOfSource, titlesOf } from './prose.ts'

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** Pairs of an expression and what to write instead. */
const words = (JSON.parse(read('test/docs/words.json')) as (readonly [string, string])[]).map(
  ([word, say]) => [new RegExp(`(?<![\\w-])(?:${word.replaceAll(' ', '\\s+')})(?![\\w-])`, 'g'), say] as const,
)
const begins = /(?<=\/\*\*\s+(?:\*\s+)?)(?:What|How|Whether|Who|Whose)\b/g

/** The names of files that are not in plain English yet. Delete a name when its file is; add none. */
const notYet = new Set(JSON.parse(read('test/docs/notYetPlain.json')) as string[])

function problemsOf(file: string, prose: string, comments = ''): string[] {
  const found = [
    ...words.flatMap(([word, say]) => [...prose.matchAll(word)].map((match) => ({ match, say }))),
    ...[...comments.matchAll(begins)].map((match) => ({ match, say: 'begin with a verb or a noun' })),
  ]
  return found.map(({ match: { index, 0: word }, say }) => {
    const line = prose.slice(0, index).split('\n').length
    return `${file}:${line} "${word.replaceAll(/\s+/g, ' ')}": say ${say}`
  })
}

const plain = (file: string): boolean => !notYet.has(path.basename(file))
const documents = [...pages, 'CONTRIBUTING.md', 'AGENTS.md', 'apps/playground/README.md'].filter(plain)

it('writes plain English on every page', () => {
  expect(documents.flatMap((file) => problemsOf(file, proseOfPage(read(file))))).toEqual([])
})

const sources = readdirSync(path.join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[\w-]+\/src\/.*\.tsx?$/.test(name) && !/\.test(-d)?\./.test(name))
  .map((name) => `packages/${name}`)

it('writes plain English in doc comments and messages', () => {
  const problems = sources.filter(plain).flatMap((file) => {
    const source = read(file)
    return problemsOf(file, proseOfSource(file, source), source)
  })

  expect(problems).toEqual([])
})

const tests = ['packages', 'apps', 'test', 'test-kit', 'scripts', 'bench'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|dist|\.\w+)\//.test(name))
    .map((name) => `${folder}/${name}`),
)

it('writes plain English in the titles of tests', () => {
  expect(tests.flatMap((file) => problemsOf(file, titlesOf(file, read(file))))).toEqual([])
  expect(tests.length).toBeGreaterThan(700)
})

it('names the file, the line, the word and what to write instead', () => {
  const source = "/**\n * What goes\n * on with it.\n */\nexport const a = 'by this door we go'\n"

  expect(problemsOf('a.ts', proseOfSource('a.ts', source), source)).toEqual([
    'a.ts:5 "door": say entry point, subpath',
    'a.ts:2 "goes on": say resumes, continues',
    'a.ts:2 "What": say begin with a verb or a noun',
  ])
})

it('takes no code for prose', () => {
  const page = 'Call `errand()` or [a door](door.md).\n\n```ts\nconst door = 1 // anew\n```\n'
  const source = "/** Opens `door`. */\nconst door = { errand: 'door' } // anew\n"

  expect(problemsOf('a.md', proseOfPage(page))).toEqual(['a.md:1 "door": say entry point, subpath'])
  expect(problemsOf('a.ts', proseOfSource('a.ts', source), source)).toEqual([])
})
