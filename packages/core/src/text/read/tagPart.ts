import { callsPart } from './callsPart.ts'
import { giveCommand } from './give.ts'
import { goBack, type Part, refuse, type Step } from './part.ts'

/** What an opening tag begins. Undefined for tags that begin nothing here. */
export function tagPart(step: Step, tag: string): Part | undefined {
  if (tag === '<think>') return thinkPart(step)
  if (tag === '<command>') return commandPart(step, { close: '</command>', tool: 'shell' })
  if (tag === '<code>') return commandPart(step, { close: '</code>', tool: 'python' })
  if (tag === '<answer>') return taggedAnswerPart(step, '</answer>')
  if (tag === '<final_answer>') return taggedAnswerPart(step, '</final_answer>')
  return isCallTag(tag) ? callsPart(step, tag) : undefined
}

const isCallTag = (tag: string): boolean =>
  tag === '<tool_call>' || tag === '<function_call>' || tag === '<function=' || tag === '<invoke name='

/** Reasoning between tags. What looks like a mark in it is none. */
const thinkPart = (step: Step): Part => ({
  take(token) {
    if (token.type === 'tag' && token.text === '</think>') {
      step.out.thought('\n')
      return goBack()
    }
    step.out.thought(token.text)
    return 'more'
  },
  end() {},
})

function commandPart(step: Step, { close, tool }: { readonly close: string; readonly tool: string }): Part {
  const pieces: string[] = []
  return {
    take(token) {
      if (token.type !== 'tag' || token.text !== close) {
        pieces.push(token.text)
        return 'more'
      }
      const input = pieces.join('').trim()
      if (input === '') return refuse(step, 'The command is empty.')
      giveCommand(step, { tool, input })
      return 'done'
    },
    end() {
      refuse(step, `The command is not closed with ${close}. Write it again, whole.`)
    },
  }
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
