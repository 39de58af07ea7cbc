import { toolWords } from '../parts/wording.ts'
import type { ComparedTurn, Difference, RunComparison } from './compareRuns.ts'
import type { TurnFacts } from './turnFacts.ts'

/** Returns the difference of two runs, in a sentence or two. */
export function differenceWords({ rows, firstDifference }: RunComparison): string {
  const row = firstDifference === undefined ? undefined : rows[firstDifference]
  if (!row) return 'Both runs say and do the same.'
  const common = row.turn === 1 ? '' : row.turn === 2 ? 'The same in turn 1. ' : `The same until turn ${row.turn - 1}. `
  return `${common}${common ? 'Then, in' : 'In'} turn ${row.turn}, ${wordsOf(row)}.`
}

function wordsOf({ a, b, differs }: ComparedTurn): string {
  if (!a || !b) return `${a ? 'B' : 'A'} has ended, and ${a ? 'A' : 'B'} continues`
  const [first] = differs
  return first ? words[first](a, b) : ''
}

const words: { readonly [What in Difference]: (a: TurnFacts, b: TurnFacts) => string } = {
  messages: () => 'the messages differ',
  thought: () => 'the model says something else',
  calls: (a, b) => `A calls ${toolsOf(a)}, and B calls ${toolsOf(b)}`,
  inputs: (a, b) => `${differing(a, b, 'input')} is called with another input`,
  replies: () => 'a question gets another answer',
  outputs: (a, b) => `${differing(a, b, 'output')} gives something else`,
  end: (a, b) => `A ${signalWords(a)}, and B ${signalWords(b)}`,
}

const toolsOf = ({ calls }: TurnFacts): string =>
  calls.length === 0 ? 'nothing' : calls.map(({ tool }) => toolWords(tool)).join(' and ')

/** The name of the first tool whose calls differ in this. */
function differing(a: TurnFacts, b: TurnFacts, what: 'input' | 'output'): string {
  const call = a.calls.find((one, index) => JSON.stringify(one[what]) !== JSON.stringify(b.calls[index]?.[what]))
  return toolWords(call?.tool ?? a.calls[0]?.tool ?? '')
}

function signalWords({ signal }: TurnFacts): string {
  switch (signal?.type) {
    case 'answer':
      return 'answers'
    case 'inputNeeded':
      return 'waits for an answer'
    case 'limitReached':
      return 'reaches a limit'
    case 'failed':
      return 'fails'
    case 'stopped':
      return 'is stopped'
    case undefined:
      return 'continues'
  }
}

/** A text in three parts: the beginning and the end that another text has too, and the part between them. */
interface DifferingPart {
  readonly before: string
  readonly own: string
  readonly after: string
}

/** Compares word by word, so that no word is split. */
export function differingPart(text: string, other: string): DifferingPart {
  const [words, others] = [splitWords(text), splitWords(other)]
  const most = Math.min(words.length, others.length)
  let start = 0
  while (start < most && words[start] === others[start]) start++
  let end = 0
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++
  const last = words.length - end
  return {
    before: words.slice(0, start).join(''),
    own: words.slice(start, last).join(''),
    after: words.slice(last).join(''),
  }
}

const splitWords = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? []
