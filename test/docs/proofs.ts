import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './codeBlocks.ts'

/** Proves a sentence of a page. */
export type Proof = Constant | Budget | TestCase | NoClaim

/** The claims of a page, each with what proves it. */
export type Claims = Readonly<Record<string, readonly [Proof, ...Proof[]]>>

interface Constant {
  readonly source: string
  readonly name: string
  readonly as: Unit
}

interface Budget {
  readonly budget: string
}

interface TestCase {
  readonly test: string
  readonly title: string
}

interface NoClaim {
  readonly text: string
}

type Unit = keyof typeof units

/** Says how many of the constant's own unit one unit of the sentence has, and how sentences write that unit. */
const units = {
  number: [1, ''],
  ms: [1, '[\\s-]*ms'],
  seconds: [1_000, '[\\s-]*s(?:econds?)?'],
  minutes: [60_000, '[\\s-]*min(?:utes?)?'],
  days: [86_400_000, '[\\s-]*days?'],
  KB: [1_024, '[\\s-]*KB'],
  MB: [1_000_000, '[\\s-]*MB'],
  MiB: [2 ** 20, '[\\s-]*MB'],
} as const

/** Takes the number from the sources: the sentence must have what `name` is there, in this unit. */
export const constant = (source: string, name: string, as: Unit = 'number'): Constant => ({ source, name, as })

/** Takes the kilobytes from the budget of this name in `.size-limit.json`, rounded. */
export const budget = (name: string): Budget => ({ budget: name })

/** Names the test that fails where the sentence is not true. */
export const test = (file: string, title: string): TestCase => ({ test: file, title })

/** Says why a sentence promises nothing that a test could check. Few sentences are like that. */
export const noClaim = (reason: string): NoClaim => ({ text: reason })

/** Returns what is wrong with the proofs of a sentence, in words that say what to do. */
export function problemsOf(sentence: string, proofs: readonly Proof[]): readonly string[] {
  const problems = proofs.flatMap((proof) => problemOf(sentence, proof) ?? [])
  return problems.length > 0 ? problems : (withoutConstant(sentence, proofs) ?? [])
}

function problemOf(sentence: string, proof: Proof): string | undefined {
  if ('text' in proof) return proof.text.length > 15 ? undefined : 'Say in a sentence why it claims nothing.'
  if ('title' in proof) return problemOfTest(proof)
  const found = numberOf(proof)
  if (typeof found === 'string') return found
  const unit = 'as' in proof ? units[proof.as][1] : ''
  const written = new RegExp(`(?<![\\d.,])${String(found).replace('.', '\\.')}${unit}(?![\\w,]*\\d)(?!\\w)`)
  if (written.test(inDigits(sentence))) return undefined
  const what = 'as' in proof ? `\`${proof.name}\` of ${proof.source}` : `The budget of "${proof.budget}"`
  return `${what} is ${found} ${'as' in proof ? proof.as : 'kB'}: the sentence says something else. Mend the sentence or the source.`
}

/** Returns the number that the sentence must have, or what is wrong with its name. */
function numberOf(proof: Constant | Budget): number | string {
  if ('budget' in proof) {
    const budgets: { readonly name: string; readonly limit: string }[] = JSON.parse(sourceOf('.size-limit.json'))
    const found = budgets.find(({ name }) => name === proof.budget)
    return found ? Math.round(Number.parseFloat(found.limit)) : `There is no budget of "${proof.budget}".`
  }
  const found = constantIn(proof)
  return typeof found === 'string' ? found : found / units[proof.as][0]
}

function problemOfTest({ test: file, title }: TestCase): string | undefined {
  if (!existsSync(path.join(root, file))) return `There is no ${file}: name the file that has the test now.`
  // The first argument of a call, or the first cell of a row whose title is `%s`.
  const begins = sourceOf(file).split(title).slice(0, -1)
  if (begins.some((before) => /[([]\s*['"`]$/.test(before))) return undefined
  return `${file} has no test "${title}": name the test that proves the sentence now.`
}

/** Returns the value of a constant in a source, or what is wrong with the name. */
function constantIn({ source, name }: Constant): number | string {
  if (!existsSync(path.join(root, source))) return `There is no ${source}: name the file that has the constant now.`
  const given = new RegExp(
    `\\b${name}\\b(?:: number)? ?[=:] ?(\\d[\\d_.]*(?: ?\\*{1,2} ?\\d[\\d_]*)*(?: - \\d+)?)`,
    'g',
  )
  const values = new Set([...withoutComments(source).matchAll(given)].map(([, value = '']) => computed(value)))
  const [value] = values
  if (value === undefined) return `${source} gives \`${name}\` no number: name the constant that has it now.`
  return values.size === 1 ? value : `${source} has several numbers for \`${name}\`: name a constant of its own.`
}

/** Comments have examples, with other numbers. */
const withoutComments = (file: string): string => sourceOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '')

/** Computes a product, a power or a difference, as constants are written. */
function computed(text: string): number {
  const [first = '', ...less] = text.replaceAll('_', '').split(' - ')
  const product = first.split(/(?<!\*) ?\* ?(?!\*)/).map((factor) => {
    const [base = 0, exponent = 1] = factor.split('**').map(Number)
    return base ** exponent
  })
  return product.reduce((all, factor) => all * factor, 1) - less.map(Number).reduce((sum, each) => sum + each, 0)
}

/** A sentence that constants and budgets alone prove has no other number in digits. */
function withoutConstant(sentence: string, proofs: readonly Proof[]): readonly string[] | undefined {
  if (!proofs.every((proof) => 'source' in proof || 'budget' in proof)) return undefined
  const known = proofs.map((proof) => Number(numberOf(proof)))
  const other = (
    sentence.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '').match(/(?<![\w.@-])\d[\d.]*(?=[\s)\]:;,.]|$)/g) ?? []
  ).map(Number)
  return other
    .filter((number) => !known.includes(number))
    .map((number) => `Nothing proves the number ${number}: add a proof.`)
}

const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const tens = { thirty: 30, forty: 40, fifty: 50, sixty: 60, hundred: 100, thousand: 1_000 }

/** Writes the numbers of a sentence in plain digits: "half a minute" is 30 seconds, and "four levels" 4. */
function inDigits(sentence: string): string {
  const plain = sentence
    .replaceAll(/half a minute/gi, '30 seconds')
    .replaceAll(/\btwice\b/gi, '2 times')
    .replaceAll(/\b(?:a|an) (minute|second|hour|day|hundred|thousand)\b/gi, '1 $1')
    .replaceAll(/(?<=\d)[,_](?=\d{3})/g, '')
  return plain
    .replaceAll(/\b1 (hundred|thousand)\b/gi, (_, word: 'hundred' | 'thousand') => String(tens[word]))
    .replaceAll(/\b[a-z]+\b/gi, (word) => {
      const lower = word.toLowerCase()
      const number = words.indexOf(lower)
      return number >= 0 ? String(number) : String(tens[lower as keyof typeof tens] ?? word)
    })
}

const sources = new Map<string, string>()

function sourceOf(file: string): string {
  const text = sources.get(file) ?? readFileSync(path.join(root, file), 'utf8')
  sources.set(file, text)
  return text
}
