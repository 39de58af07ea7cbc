/**
 * Matches patterns of JSON Schemas in time that grows with the text times the pattern. `RegExp` backtracks: a schema of
 * a foreign server, or a careless one, would freeze the page with `(a+)+$`.
 */
export interface Pattern {
  /** Returns true if the pattern is found in the text. Throws `PatternTooCostly` beyond the limit of steps. */
  test(text: string): boolean
}

export class PatternTooCostly extends Error {}

/** One step of a program: it takes a character, continues elsewhere, or looks around. */
type Instruction =
  | { readonly type: 'take'; readonly fits: (character: string) => boolean }
  | { readonly type: 'fork'; readonly to: number[] }
  | { readonly type: 'assert'; readonly holds: (at: Position) => boolean }
type Program = readonly Instruction[]

interface Position {
  readonly characters: readonly string[]
  readonly index: number
  readonly budget: Budget
}
interface Budget {
  left: number
}

const mostInstructions = 5_000
const mostSteps = 5_000_000

/** Compiles a pattern. Throws a SyntaxError for one that cannot be matched in linear time, or is none. */
export function compilePattern(source: string): Pattern {
  const program = new Compiler(source, flagsFor(source)).compile()
  return {
    test(text) {
      const characters = Array.from(text)
      return matches(program, { characters, index: 0, budget: { left: mostSteps } }, false)
    },
  }
}

/** Returns the flags with which the engine takes the syntax. The compiler only has to find its parts. */
function flagsFor(source: string): 'u' | '' {
  try {
    new RegExp(source, 'u')
    return 'u'
  } catch {
    // Many schemas escape characters that need no escape.
    new RegExp(source)
    return ''
  }
}

/** Follows all ways through a program at once, character by character. */
function matches(program: Program, { characters, index: from, budget }: Position, isAnchored: boolean): boolean {
  let current: number[] = []
  for (let index = from; index <= characters.length; index++) {
    const seen = new Set<number>()
    const next: number[] = []
    if (index === from || !isAnchored) current.push(0)
    // The list grows while it is read.
    for (const at of current) {
      if (seen.has(at)) continue
      seen.add(at)
      if (--budget.left < 0) throw new PatternTooCostly()
      const instruction = program[at]
      if (!instruction) return true
      if (instruction.type === 'fork') current.push(...instruction.to)
      else if (instruction.type === 'assert') {
        if (instruction.holds({ characters, index, budget })) current.push(at + 1)
      } else if (index < characters.length && instruction.fits(characters[index] as string)) next.push(at + 1)
    }
    current = next
    if (isAnchored && current.length === 0) return false
  }
  return false
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)

class Compiler {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  compile(): Program {
    return this.#alternatives()
  }

  #alternatives(): Instruction[] {
    const all = [this.#sequence()]
    while (this.#takes('|')) all.push(this.#sequence())
    return all.reduceRight((rest, one) => either(one, rest))
  }

  #sequence(): Instruction[] {
    const program: Instruction[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      append(program, this.#repeated(this.#atom()))
    }
    return program
  }

  #repeated(once: Instruction[]): Instruction[] {
    const quantifier = this.#match(/[*+?]\??|\{(\d{1,9})(?:(,)(\d{0,9}))?\}\??/y)
    if (!quantifier) return once
    const [sign = '', least, comma, most] = quantifier
    if (sign[0] === '*') return repeat(once, 0, Number.POSITIVE_INFINITY)
    if (sign[0] === '+') return repeat(once, 1, Number.POSITIVE_INFINITY)
    if (sign[0] === '?') return repeat(once, 0, 1)
    return repeat(once, Number(least), most ? Number(most) : comma ? Number.POSITIVE_INFINITY : Number(least))
  }

  #atom(): Instruction[] {
    if (this.#takes('(')) return this.#group()
    if (this.#takes('^')) return [{ type: 'assert', holds: ({ index }) => index === 0 }]
    if (this.#takes('$')) return [{ type: 'assert', holds: ({ index, characters }) => index === characters.length }]
    const edge = this.#match(/\\([bB])/y)
    if (edge) return [{ type: 'assert', holds: (at) => isEdge(at) === (edge[1] === 'b') }]
    if (this.#match(/\\[1-9k]/y)) throw unsupported('a back reference')
    const [character = ''] =
      this.#match(
        /\[(?:\\.|[^\]\\])*\]|\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|x..|c.|.)|./suy,
      ) ?? []
    return [{ type: 'take', fits: fitting(character, this.#flags) }]
  }

  #group(): Instruction[] {
    if (this.#match(/\?<[=!]/y)) throw unsupported('a look behind')
    const look = this.#match(/\?([=!])/y)
    if (!this.#match(/\?(?::|<[^>]*>)/y) && !look && this.#takes('?')) throw unsupported('flags')
    const inner = this.#alternatives()
    this.#takes(')')
    if (!look) return inner
    return [{ type: 'assert', holds: (at) => matches(inner, at, true) === (look[1] === '=') }]
  }

  #takes(character: string): boolean {
    const found = this.#source[this.#at] === character
    if (found) this.#at++
    return found
  }

  #match(part: RegExp): RegExpExecArray | null {
    part.lastIndex = this.#at
    const found = part.exec(this.#source)
    if (found) this.#at += found[0].length
    return found
  }
}

/** Returns the test for a class, an escape or a character, by the engine: one character is never costly. */
function fitting(part: string, flags: string): (character: string) => boolean {
  if (part.length === 1 && part !== '.') return (character) => character === part
  const one = new RegExp(`^${part}$`, flags)
  return (character) => one.test(character)
}

const isEdge = ({ characters, index }: Position): boolean => isWord(characters[index - 1]) !== isWord(characters[index])

/** Adds a program to the end of another one. */
function append(program: Instruction[], added: readonly Instruction[]): void {
  if (program.length + added.length > mostInstructions) throw unsupported('too many repetitions')
  const offset = program.length
  for (const instruction of added) program.push(moved(instruction, offset))
}

const moved = (instruction: Instruction, by: number): Instruction =>
  instruction.type === 'fork' ? { type: 'fork', to: instruction.to.map((at) => at + by) } : instruction

function either(one: readonly Instruction[], other: readonly Instruction[]): Instruction[] {
  const program: Instruction[] = [{ type: 'fork', to: [1, one.length + 2] }]
  append(program, one)
  program.push({ type: 'fork', to: [one.length + other.length + 2] })
  append(program, other)
  return program
}

function repeat(once: readonly Instruction[], least: number, most: number): Instruction[] {
  const program: Instruction[] = []
  if (once.length === 0) return program
  for (let count = 0; count < least; count++) append(program, once)
  if (most === Number.POSITIVE_INFINITY) {
    append(program, [
      { type: 'fork', to: [1, once.length + 2] },
      ...once.map((step) => moved(step, 1)),
      { type: 'fork', to: [0] },
    ])
    return program
  }
  for (let count = least; count < most; count++)
    append(program, [{ type: 'fork', to: [1, once.length + 1] }, ...once.map((step) => moved(step, 1))])
  return program
}

const unsupported = (what: string): SyntaxError =>
  new SyntaxError(`it has ${what}, which cannot be matched in linear time`)

/** Returns true if the engine's own matching takes at most quadratic time. */
export function isSimplePattern(source: string): boolean {
  const plain = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'a')
  if (/\)[*+?{]|\(\?[=!<]|\\[1-9k]/.test(plain + source)) return false
  const unbounded = plain.match(/[*+]|,\}/g)?.length ?? 0
  return unbounded + (source.startsWith('^') ? 0 : 1) <= 2
}
