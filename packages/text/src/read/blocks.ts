import { findLineEnd, isBlank, isLineEnd, skipSpace } from './characters.ts'
import { emitCommand } from './names.ts'
import { mayClose } from './quotes.ts'
import type { FenceToken, Token } from './scanner.ts'
import { isLabel, isOwnObservation, type Part, type Reading, type Step, textFrom } from './step.ts'

interface Block {
  readonly info: string
  readonly code: string
}

interface BlocksStart {
  readonly mark: FenceToken
  readonly firstLine: string
  /** The label of an action precedes the first block. */
  readonly isMarked: boolean
}

/** Reads code blocks that are the action: a shell command, which is the first block, or Python, which is all blocks. */
export function* codeBlocks(step: Step, start: BlocksStart): Part {
  let { mark, firstLine: info } = start
  const read: Blocks = { isMarked: start.isMarked, blocks: [], raw: [mark.text, info], between: [] }
  for (;;) {
    const end = yield* readBlock(step, { read, mark, info })
    if (end === 'unclosed') return step.refuse('The code block is not closed. Write it again, whole.')
    if (end === 'own observation') return step.refuseObservation()
    if (end === 'a step') return release(step, read)
    if (end === 'last' || step.dialect.blocks === 'shell') return settle(step, read)
    const next = yield* readBetween(step, read)
    if (next === 'over') return settle(step, read)
    if (next === 'example') return release(step, read)
    mark = next
    info = yield* readInfo(step, read)
  }
}

/** The text read so far: the blocks, the text between them, and all of it in case it is prose. */
interface Blocks extends Pick<BlocksStart, 'isMarked'> {
  readonly blocks: Block[]
  readonly raw: string[]
  readonly between: string[]
}

/** Reads a block to its end. Within it, a fence with a word after it opens a block, any other closes the innermost. */
function* readBlock(
  step: Step,
  { read, mark, info }: { readonly read: Blocks; readonly mark: FenceToken; readonly info: string },
): Reading<'closed' | 'last' | 'unclosed' | 'a step' | 'own observation'> {
  const { blocks, raw } = read
  const code: string[] = []
  const close = <End>(end: End): End => {
    blocks.push({ info: info.trim(), code: code.join('') })
    return end
  }
  let isObserved = false
  for (let depth = 0; ; ) {
    const token = yield* step.next()
    if (!token) return 'unclosed'
    isObserved ||= isOwnObservation(token)
    if (isFencedStep(step, read, token)) {
      if (isObserved) return 'own observation'
      step.isFenced = true
      step.unread(token)
      return 'a step'
    }
    raw.push(token.text)
    if (depth === 0 && token.type === 'tag' && token.text === '</code>') return close('last')
    if (!isLikeFence(token, mark)) {
      code.push(token.text)
      continue
    }
    const marks = yield* step.readText((text) => text.search(/[^`~]/))
    const behind = yield* step.next()
    raw.push(marks)
    if (!behind) return depth === 0 ? close('closed') : 'unclosed'
    depth += behind.type === 'text' && /^\w/.test(behind.text) ? 1 : -1
    if (depth < 0) {
      step.unread(behind)
      return close('closed')
    }
    code.push(mark.text, marks, behind.text)
    raw.push(behind.text)
  }
}

/** Returns whether a token may open or close a block within a block. */
const isLikeFence = (token: Token, { text, indent }: FenceToken): boolean =>
  token.type === 'fence' &&
  token.text === text &&
  token.beginsLine &&
  mayClose({ columns: indent, isInner: false }, token.indent)

/** Returns true for a label in the first block, if blocks need not be commands: the fence then contains a step. */
const isFencedStep = ({ dialect, hasProse, isLabelled }: Step, { blocks }: Blocks, { type }: Token): boolean =>
  type === 'label' && dialect.blocks === 'either' && blocks.length === 0 && !hasProse && !isLabelled

/** Reads up to the fence of the next block. An answer, or more text if blocks need not be commands, makes them an example. */
function* readBetween(
  step: Step,
  { isMarked, blocks, raw, between }: Blocks,
): Reading<FenceToken | 'over' | 'example'> {
  const mayBeExample = step.dialect.blocks === 'either'
  for (;;) {
    const token = yield* step.next()
    if (!token || (token.type === 'tag' && token.text === '<end_code>')) return 'over'
    const isAnswered = isLabel(token, 'answer') && !isMarked
    if (isLabel(token, 'observation') || (token.type === 'label' && step.dialect.blocks === 'python' && !isAnswered))
      return 'over'
    const isMark = token.type === 'label' || token.type === 'tag'
    const next = token.type === 'fence' && token.beginsLine ? token : undefined
    const isMore = next ? toolOf(step, blocks.at(-1)?.info ?? '') !== 'python' : !isBlank(token.text)
    if (isMark || (mayBeExample && isMore)) {
      step.unread(token)
      return 'example'
    }
    raw.push(token.text)
    if (next) return next
    between.push(token.text)
    if (isOwnObservation(token)) return 'over'
  }
}

/** Reads the rest of the line after a fence. */
function* readInfo(step: Step, { raw }: Blocks): Reading<string> {
  for (let info = ''; ; ) {
    const token = yield* step.next()
    if (!token) return info
    const line = findLineEnd(token.text)
    const end = line < 0 ? token.text.length : line
    info += token.text.slice(0, end)
    raw.push(token.text.slice(0, end + 1))
    if (line < 0) continue
    step.unread(textFrom(token, line + 1))
    return info
  }
}

function release(step: Step, { raw }: Blocks): undefined {
  step.think(raw.join(''))
}

function settle(step: Step, { blocks, raw, between }: Blocks): 'done' {
  const action = chooseAction(step, blocks)
  step.think((action ? [...action.others, ...between] : raw).join(''))
  if (action) emitCommand(step, action)
  return 'done'
}

/** Returns the tool that a block is for, by the word after its fence. Undefined if the block is an example. */
export function toolOf({ dialect, tools }: Step, firstLine: string): 'shell' | 'python' | undefined {
  const info = firstLine.trim().toLowerCase()
  const runs = (tool: 'shell' | 'python'): boolean =>
    dialect.blocks === tool || (dialect.blocks === 'either' && (tools?.includes(tool) ?? true))
  if (dialect.blocks === 'shell') return shells.includes(info) || !isLanguage(info) ? 'shell' : undefined
  if (info === 'py' || info === 'python' || (info === '' && dialect.blocks === 'python')) {
    return runs('python') ? 'python' : undefined
  }
  return shells.includes(info) && runs('shell') ? 'shell' : undefined
}

/** Returns whether nothing but the name of a language follows a fence. */
export const isLanguage = (info: string): boolean => /^[\w+#.-]*$/.test(info.trim())

const shells = ['', 'bash', 'sh', 'shell', 'console']

interface BlockAction {
  readonly tool: string
  readonly input: string
  /** The code of the blocks that are not run, and the text after the fences of the others. */
  readonly others: readonly string[]
}

function chooseAction(step: Step, blocks: readonly Block[]): BlockAction | undefined {
  const tool = blocks[0] && toolOf(step, blocks[0].info)
  if (tool === undefined) return undefined
  const isChosen = (block: Block): boolean => toolOf(step, block.info) === tool
  const chosen = blocks.filter(isChosen)
  const input = chosen.map(({ code }) => trimLines(code)).join('\n\n')
  const others = blocks.flatMap((block) => {
    if (!isChosen(block)) return [block.code]
    return isLanguage(block.info) ? [] : [`${block.info}\n`]
  })
  return input === '' ? undefined : { tool, input, others }
}

/** Removes empty lines around the code. The indentation of the first line stays. */
function trimLines(code: string): string {
  let start = skipSpace(code, 0)
  while (start > 0 && !isLineEnd(code.charCodeAt(start - 1))) start--
  return code.slice(start).trimEnd()
}

/** Reads a text that may be Python without a fence: its first line must be a statement, which prose never is. */
export function* codeLines(step: Step): Part {
  const held: Token[] = []
  let line = ''
  let isCode: boolean | undefined
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    held.push(token)
    if (token.type !== 'text') return step.unreadAll(held)
    if (isCode) continue
    const start = line === '' ? skipSpace(token.text, 0) : 0
    const end = findLineEnd(token.text, start)
    line += token.text.slice(start, end < 0 ? token.text.length : end)
    if (end >= 0) isCode = isStatement(line)
    if (isCode === false || !mayBeStatement(line)) return step.unreadAll(held)
  }
  if (!(isCode ?? isStatement(line))) return step.unreadAll(held)
  const code = held.map(({ text }) => text).join('')
  return emitCommand(step, { tool: 'python', input: code.trim() })
}

/** Recognizes prose early, so that thoughts stream. */
const mayBeStatement = (line: string): boolean =>
  line.length < 500 && /^(?:$|(?:import|from) |[a-z_]\w*(?: ?$| =|\())/.test(line)

const isStatement = (line: string): boolean =>
  /^(?:import [\w.]+(?: as \w+)?(?:, [\w. ]+)*|from [\w.]+ import .+|[a-z_]\w* = \S(?:.*[^\s.!?])?|[a-z_]\w*\(.*\))\s*$/.test(
    line,
  )
