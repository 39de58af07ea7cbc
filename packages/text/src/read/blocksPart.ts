import { findLineEnd, isBlank, isLineEnd, skipSpace } from './characters.ts'
import { giveCommand } from './give.ts'
import { goBack, type Part, type PartResult, refuse, type Step, think } from './part.ts'
import type { Token } from './token.ts'

interface Block {
  readonly info: string
  readonly code: string
}

interface BlockStart {
  readonly fence: string
  /** The info string of the fence. */
  readonly firstLine: string
}

/** Code blocks that are the action: a command for a shell, which is the first of them, or Python, which is all of them. */
export function blocksPart(step: Step, { fence, firstLine }: BlockStart): Part {
  const blocks: Block[] = []
  /** All that was read, for the case that it was prose. */
  const raw: string[] = [fence, firstLine]
  let mark = fence
  /** The text between blocks. */
  const between: string[] = []
  let info: string[] = [firstLine]
  let code: string[] = []
  let state: 'info' | 'code' | 'fence' | 'between' = 'code'
  let depth = 0

  const takeInfo = (text: string): void => {
    const line = findLineEnd(text)
    info.push(line < 0 ? text : text.slice(0, line))
    if (line < 0) return
    state = 'code'
    code = [text.slice(line + 1)]
  }

  /** Behind a fence within a block: a word opens a block in the block, anything else closes the innermost. */
  const takeFence = (token: Token): void => {
    const rest = token.text.replace(/^[`~]+/, '')
    if (token.type === 'text' && rest === '') return
    if (token.type === 'text' && /^\w/.test(rest)) depth++
    else depth--
    state = 'code'
    if (depth >= 0) code.push(mark, token.text)
    else close()
  }

  const close = (): void => {
    blocks.push({ info: info.join('').trim(), code: code.join('') })
    state = 'between'
    step.observations?.beginLine()
    depth = 0
  }

  const takeBetween = (token: Token): PartResult => {
    if (token.type === 'tag' && token.text === '<end_code>') return settle()
    if (token.type === 'label' && (token.label === 'observation' || step.dialect.blocks === 'python')) return settle()
    if (token.type === 'label' || token.type === 'tag') return release(token)
    if (token.type === 'fence' && token.beginsLine) {
      if (step.dialect.blocks === 'either' && toolOf(step, blocks.at(-1)?.info ?? '') !== 'python')
        return release(token)
      open(token.text)
    } else if (step.observations?.read(token.text) !== undefined) return settle()
    else if (step.dialect.blocks === 'either' && !isBlank(token.text)) return release(token)
    else between.push(token.text)
    raw.push(token.text)
    return 'more'
  }

  const open = (fence: string): void => {
    mark = fence
    state = 'info'
    info = []
  }

  /** Releases a block as an example, if commands are not expected and something follows it. */
  const release = (token: Token): PartResult => {
    think(step, raw.join(''))
    return goBack(token)
  }

  const settle = (): 'done' => {
    const action = chooseAction(step, blocks)
    if (!action) think(step, raw.join(''))
    else {
      think(step, [...action.others, ...between].join(''))
      giveCommand(step, action)
    }
    return 'done'
  }

  /**
   * Returns true for labels in the first block, if commands are not expected: the fence contains a step that begins
   * with prose.
   */
  const isStep = ({ type }: Token): boolean =>
    type === 'label' && step.dialect.blocks === 'either' && blocks.length === 0 && !step.hasProse && !step.isLabelled

  const take = (token: Token): PartResult => {
    if (state === 'code' && isStep(token)) {
      step.isFenced = true
      return release(token)
    }
    if (state === 'code' && depth === 0 && token.type === 'tag' && token.text === '</code>') {
      close()
      return settle()
    }
    if (state === 'fence') takeFence(token)
    else if (state === 'code' && token.type === 'fence' && token.text === mark && token.beginsLine) state = 'fence'
    else if (state === 'code') code.push(token.text)
    else if (state === 'info') takeInfo(token.text)
    if (state === 'between') return step.dialect.blocks === 'shell' ? settle() : takeBetween(token)
    raw.push(token.text)
    return 'more'
  }

  return {
    take,
    end() {
      if (state === 'fence' && depth === 0) close()
      if (state === 'between') settle()
      else refuse(step, 'The code block is not closed. Write it again, whole.')
    },
  }
}

/** The tool that a block is for, by the word behind its fence. Undefined if it is code to be looked at. */
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
/** Returns true if the fence has only a language name. */
export const isLanguage = (info: string): boolean => /^[\w+#.-]*$/.test(info.trim())

const shells = ['', 'bash', 'sh', 'shell', 'console']

interface BlockAction {
  readonly tool: string
  readonly input: string
  /** The code of the blocks that do not run, and the info strings of the others. */
  readonly others: readonly string[]
}

function chooseAction(step: Step, blocks: readonly Block[]): BlockAction | undefined {
  const [first] = blocks
  const tool = first && toolOf(step, first.info)
  if (tool === undefined) return undefined
  const isChosen = (block: Block): boolean => toolOf(step, block.info) === tool
  const input = blocks
    .filter(isChosen)
    .map(({ code }) => trimLines(code))
    .join('\n\n')
  const others = blocks.flatMap((block) => {
    if (!isChosen(block)) return [block.code]
    return isLanguage(block.info) ? [] : [`${block.info}\n`]
  })
  return input === '' ? undefined : { tool, input, others }
}

/** Without empty lines around it. The indentation of the first line stays. */
function trimLines(code: string): string {
  let start = skipSpace(code, 0)
  while (start > 0 && !isLineEnd(code.charCodeAt(start - 1))) start--
  return code.slice(start).trimEnd()
}
