import { callsPart } from './callsPart.ts'
import { callTags, thinkClosers, thinkOpeners } from './callTags.ts'
import { giveCommand } from './give.ts'
import { goBack, type Part, refuse, type Step } from './part.ts'

/** Returns the part that an opening tag begins. Undefined for tags that begin nothing here. */
export function tagPart(step: Step, tag: string): Part | undefined {
  if (isThinkOpener(tag)) return thinkPart(step)
  if (tag === '<command>') return commandPart(step, { close: '</command>', tool: 'shell' })
  if (tag === '<code>') return commandPart(step, { close: '</code>', tool: 'python' })
  if (tag === '<answer>') return taggedAnswerPart(step, '</answer>')
  if (tag === '<final_answer>') return taggedAnswerPart(step, '</final_answer>')
  return callTags.has(tag) ? callsPart(step, tag) : undefined
}

/** Reasoning between tags, which may hold more of them. What looks like a mark in it is none. */
function thinkPart(step: Step): Part {
  let depth = 1
  return {
    take(token) {
      if (token.type === 'tag' && isThinkOpener(token.text)) depth++
      if (token.type === 'tag' && isThinkCloser(token.text) && --depth === 0) {
        step.out.thought('\n')
        return goBack()
      }
      step.out.thought(token.text)
      return 'more'
    },
    end() {},
  }
}

const isThinkOpener = (tag: string): boolean => thinkOpeners.includes(tag.toLowerCase())
export const isThinkCloser = (tag: string): boolean => thinkClosers.includes(tag.toLowerCase())

/** Some models write a fence within the tags, or in place of the one that closes. */
function commandPart(step: Step, { close, tool }: { readonly close: string; readonly tool: string }): Part {
  const pieces: string[] = []
  const settle = (written: string): 'done' => {
    const input = withoutFence(written)
    if (input === '') return refuse(step, 'The command is empty.')
    giveCommand(step, { tool, input })
    return 'done'
  }
  return {
    take(token) {
      if (token.type === 'tag' && token.text === close) return settle(pieces.join('').trim())
      pieces.push(token.text)
      return 'more'
    },
    end() {
      const written = pieces.join('').trim()
      if (closingFence.test(written)) settle(written)
      else refuse(step, `The command is not closed with ${close}. Write it again, whole.`)
    },
  }
}

const closingFence = /[\n\r]```$/
/** Of the line that opens a fence only the language is not part of the command. */
function withoutFence(code: string): string {
  const end = code.indexOf('\n')
  const isFenced = code.startsWith('```') && end > 0 && !code.slice(3, end).trim().includes(' ')
  return (isFenced ? code.slice(end + 1) : code).replace(closingFence, '').trim()
}

function taggedAnswerPart({ out }: Step, close: string): Part {
  out.finish('')
  return {
    take(token) {
      if (token.type === 'tag' && token.text === close) return 'done'
      out.finish(token.text)
      return 'more'
    },
    end() {},
  }
}
