import { type Command, type CommandGroup, commandGroups } from '../commands/Command.ts'

export interface FoundGroup {
  readonly title: CommandGroup | 'Recent' | 'Best fit'
  readonly found: readonly Found[]
}

/** The number of commands of a group that are listed for an empty search. */
const atFirst = 6

/** Groups the commands: by fit, or for an empty search by subject, the latest used first. */
export function groupFound(found: readonly Found[], query: string, recent: readonly string[]): readonly FoundGroup[] {
  if (query.trim()) return found.length === 0 ? [] : [{ title: 'Best fit', found: found.slice(0, 50) }]
  const used = recent.flatMap((id) => found.find(({ command }) => command.id === id) ?? [])
  const groups = commandGroups.map((title) => ({
    title,
    found: found
      .filter((one) => one.command.group === title && !one.command.isOnlyFound && !used.includes(one))
      .slice(0, atFirst),
  }))
  return [{ title: 'Recent' as const, found: used }, ...groups].filter((group) => group.found.length > 0)
}

/** A command that matches the search. */
export interface Found {
  readonly command: Command
  readonly score: number
  /** The matching characters of the title. */
  readonly marked: ReadonlySet<number>
}

/** The commands that have every word of a query, the best fit first. All of them, as they were, for an empty one. */
export function findCommands(commands: readonly Command[], query: string): readonly Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.flatMap((command) => {
    const fit = fitOf(command, words)
    return fit ? [{ command, ...fit }] : []
  })
  return words.length === 0 ? found : found.sort((a, b) => b.score - a.score)
}

function fitOf(
  { title, words: others = '', group }: Command,
  words: readonly string[],
): Omit<Found, 'command'> | undefined {
  const marked = new Set<number>()
  let score = 0
  for (const word of words) {
    const place = placeIn(title, word)
    if (place) {
      for (const index of place.indexes) marked.add(index)
      score += place.score
    } else if (placeIn(`${others} ${group}`, word)?.isWhole) score += 1
    else return undefined
  }
  return { score, marked }
}

interface Place {
  readonly indexes: readonly number[]
  readonly score: number
  /** The letters stand side by side. */
  readonly isWhole: boolean
}

/** Returns where a text has a word: at best at the beginning of a word, else inside, else its letters one after the other. */
function placeIn(text: string, word: string): Place | undefined {
  const lower = text.toLowerCase()
  const starts = [...lower.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  const start = starts.find((at) => lower.startsWith(word, at)) ?? -1
  if (start !== -1) return { indexes: run(start, word.length), score: 10 - start / 100, isWhole: true }
  const inside = lower.indexOf(word)
  if (inside !== -1) return { indexes: run(inside, word.length), score: 5 - inside / 100, isWhole: true }
  const indexes = scattered(lower, word)
  return indexes && { indexes, score: 2 - spread(indexes) / 100, isWhole: false }
}

const run = (start: number, length: number): number[] => Array.from({ length }, (_, index) => start + index)

const spread = (indexes: readonly number[]): number => (indexes.at(-1) ?? 0) - (indexes[0] ?? 0)

function scattered(text: string, word: string): number[] | undefined {
  const indexes: number[] = []
  for (const letter of word) {
    const index = text.indexOf(letter, (indexes.at(-1) ?? -1) + 1)
    if (index === -1) return undefined
    indexes.push(index)
  }
  // Letters from all over a text are there by chance.
  return spread(indexes) <= word.length * 4 ? indexes : undefined
}
