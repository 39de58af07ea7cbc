/** The imports of a file, in the order in which formatters write them. */
export class Imports {
  readonly #names = new Map<string, Set<string>>()

  /** Imports a name, and returns it. */
  add(from: string, name: string): string {
    const names = this.#names.get(from) ?? new Set()
    this.#names.set(from, names.add(name))
    return name
  }

  toString(): string {
    const sorted = [...this.#names].toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    return sorted
      .map(([from, names]) => `import { ${[...names].toSorted(byName).join(', ')} } from '${from}'\n`)
      .join('')
  }
}

const rank = (from: string): number => Number(from.startsWith('.'))
const byName = (a: string, b: string): number => plain(a).localeCompare(plain(b), 'en')
const plain = (name: string): string => name.replace(/^type /, '')

/** The host of a generated program's agent. */
export type ProgramHost = 'page' | 'worker' | 'server'

/** A file of a program that is being written. */
export interface Writing {
  readonly imports: Imports
  /** Declarations before the agent, by the variable. */
  readonly before: Map<string, string>
  readonly host: ProgramHost
  /** The address of this page, where its shop is. */
  readonly origin: string
}

/** An agent that is not written as code. The message says why. */
export class NoCode extends Error {}

export const byFile = 'Load the file itself, with loadAgents() of @interleave/config.'
