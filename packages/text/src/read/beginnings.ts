import { bracketAction } from './brackets.ts'
import { findLineEnd } from './characters.ts'
import { plainName } from './names.ts'
import { isObservation } from './quotes.ts'
import { type Part, type Reading, type Step, textToken } from './step.ts'

/** Reads the beginning of a text that may be an action without the label: `search[red shoes]`. */
export function* bareAction(step: Step): Part {
  const { text } = yield* step.peek((head) => head.length >= 50 || /[^\w-]/.test(head))
  return /^[\w-]+\[/.test(text) ? yield* bracketAction(step, { isBare: true }) : undefined
}

/** Reads the beginning of a text of unknown format: a command if it begins with `> `, otherwise prose. */
export function* guess(step: Step): Part {
  const mayBeCommand = (head: string): boolean =>
    head === '' || (head.startsWith('>') && head.length < longestHead && findLineEnd(head) < 0)
  const { text, mark } = yield* step.peek((head) => !mayBeCommand(head))
  return !mark && isCommand(step, text) ? yield* commandLine(step) : undefined
}

/** The length of the longest label that `command` matches. */
const longestHead = 32

/** Returns true if a text begins with a command, not an empty line or a quoted step, and a tool accepts commands. */
function isCommand({ tools }: Step, text: string): boolean {
  const end = findLineEnd(text)
  const head = text.slice(0, Math.min(end < 0 ? text.length : end, longestHead))
  return command.test(head) && (tools?.includes('act') ?? true)
}

const command = /^>\s{1,8}(?![*#_>{[<`\s]|(?:thought|action|observation|final answer)\b[^:]{0,9}:)\S/i

/** Reads the line that is the whole step: a command in plain words. Lines such as `> think: …` may precede it. */
export function* commandLine(step: Step): Part {
  for (let hasThought = false; ; hasThought = true) {
    const first = yield* beginLine(step)
    // After a thought, a line without a prompt is invented output of the environment.
    if (first === undefined || (hasThought && !first.startsWith('>'))) return 'done'
    step.unread(textToken(first))
    const line = yield* readLine(step)
    if (line !== undefined) return emitLine(step, line.startsWith('>') ? line.slice(1).trim() : line.trim())
    step.out.thought('\n')
  }
}

/** Skips white space, and returns the rest of the token in which a line begins. */
function* beginLine(step: Step): Reading<string | undefined> {
  for (;;) {
    const token = yield* step.next()
    const text = token?.text.trimStart()
    if (text !== '') return text
  }
}

/** Reads to the end of the line. Undefined if it was a thought. */
function* readLine(step: Step): Reading<string | undefined> {
  let line = ''
  let isThought = false
  for (let end = -1; end < 0; ) {
    const token = yield* step.next()
    if (!token) break
    end = findLineEnd(token.text)
    const text = end < 0 ? token.text : token.text.slice(0, end)
    if (end >= 0) step.unread(textToken(token.text.slice(end + 1)))
    const mayBeThought = !isThought && line.length < '> think:'.length
    line += text
    const label = mayBeThought ? /^(?:>\s?)?think:/i.exec(line) : undefined
    if (isThought) step.out.thought(text)
    else if (label) {
      isThought = true
      step.isThoughtAlone = true
      step.out.thought(line.slice(label[0].length))
    }
  }
  return isThought ? undefined : line
}

/** Emits a line: `finish: 42` is the answer, everything else an action. */
function emitLine(step: Step, line: string): 'done' {
  if (isObservation(line)) return step.refuseObservation()
  const colon = line.indexOf(':')
  if (colon > 0 && step.dialect.finishCommands.includes(plainName(line.slice(0, colon))))
    step.out.finish(line.slice(colon + 1))
  else step.out.action({ tool: 'act', input: line })
  return 'done'
}
