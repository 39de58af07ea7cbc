import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { filesIn } from '../../scripts/filesIn.mjs'
import { pages } from './blocksOf.ts'
import { root } from './codeBlocks.ts'
import { namesOf, proseOfPage, proseOfSource, titlesOf } from './prose.ts'

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

const code = ['packages', 'apps', 'test', 'test-kit', 'scripts', 'bench']
  .flatMap((folder) => filesIn(path.join(root, folder)))
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => path.relative(root, file))
/** The sources of the packages and the apps, whose texts users read. The demo planner has lists of English words. */
const sources = code.filter(
  (file) => /^(packages|apps)\/[\w-]+\/src\//.test(file) && !/\.test(-d)?\.|tokenise|tools\/book/.test(file),
)

it('writes plain English in doc comments and messages', () => {
  const problems = sources.filter(plain).flatMap((file) => {
    const source = read(file)
    return problemsOf(file, proseOfSource(file, source), source)
  })

  expect(problems).toEqual([])
})

const tests = code.filter((file) => /\.test\.tsx?$/.test(file))

it('writes plain English in the titles of tests', () => {
  expect(tests.flatMap((file) => problemsOf(file, titlesOf(file, read(file))))).toEqual([])
  expect(tests.length).toBeGreaterThan(700)
})

/** Terms of other fields: what a person books for, and a server in place of a real one. */
const terms = /\bpeople\b|\bstand in\b|\bpolluted\b/g

it('writes plain English in the names of the code', () => {
  const problems = code.flatMap((file) => problemsOf(file, namesOf(file, read(file)).join('|').replaceAll(terms, '')))

  expect(problems).toEqual([])
  expect(code.length).toBeGreaterThan(2_000)
})

it('names the file, the line, the word and what to write instead', () => {
  const source = "/**\n * What goes\n * on with it.\n */\nexport const a = 'by this door we go'\n"

  expect(problemsOf('a.ts', proseOfSource('a.ts', source), source)).toEqual([
    'a.ts:5 "door": say entry point, subpath',
    'a.ts:2 "goes on": say resumes, continues',
    'a.ts:2 "What": say begin with a verb or a noun',
  ])
})

it('reads names as words', () => {
  expect(namesOf('a.ts', 'const openDoor = { isGone: 1 }\nopenDoor.hears2()')).toEqual([
    'open door',
    'is gone',
    'hears2',
  ])
})

it('takes no code for prose', () => {
  const page = 'Call `errand()` or [a door](door.md).\n\n```ts\nconst door = 1 // anew\n```\n'
  const source = "/** Opens `door`. */\nconst door = { errand: 'door' } // anew\n"

  expect(problemsOf('a.md', proseOfPage(page))).toEqual(['a.md:1 "door": say entry point, subpath'])
  expect(problemsOf('a.ts', proseOfSource('a.ts', source), source)).toEqual([])
})
