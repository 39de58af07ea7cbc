import { reasonAct } from '@interleave/core'
import { limit } from '@interleave/core/steps'
import { textMode } from '@interleave/text'
import { described, type Options, type Script } from './script.ts'
import { speaker } from './speaker.ts'

const plain: Script = {
  name: 'a tool after another',
  describe: (life) => described(life, [{ calls: [['charge']] }, { calls: [['look']] }]),
}

const parallel: Script = {
  name: 'tools side by side',
  describe: (life) =>
    described(life, [
      { calls: [['charge', { n: 1 }], ['set'], ['look'], ['charge', { n: 2 }]] },
      { calls: [['fail'], ['missing'], ['charge', { n: 'wrong' }]] },
    ]),
}

const asking: Script = {
  name: 'a tool that asks',
  describe: (life) => described(life, [{ calls: [['book']] }, { calls: [['book'], ['charge']] }]),
}

const approvals: Script = {
  name: 'approvals',
  describe: (life) =>
    described(life, [{ calls: [['pay', { n: 1 }], ['charge'], ['pay', { n: 2 }]] }, { calls: [['pay', { n: 3 }]] }]),
  reply: (ask) =>
    ask.id === '1/tool/0/approval'
      ? { approved: true, input: { n: 10 } }
      : { approved: ask.id !== '1/tool/2/approval', reason: 'No.' },
}

const limited: Script = {
  name: 'limits',
  describe: (life) =>
    described(
      life,
      Array.from({ length: 5 }, (_, n) => ({ calls: [['charge', { n }], ['book']] as const })),
      { backend: reasonAct({ limits: limit({ toolCalls: 4, iterations: 4 }, { remindAt: 0.7 }) }) } as Options,
    ),
  reply: (ask) => (ask.kind === 'extension' ? { extend: 3 } : undefined),
}

const written: Script = {
  name: 'text mode',
  describe: (life) => {
    const line = (name: string) => ({ text: `Thought: # I act.\nAction: ${name}\nAction Input: {"n": 3}` })
    const inner = speaker(life, 'a', [line('charge'), line('book'), { text: 'Thought: # I know.\nFinal Answer: Yes.' }])
    return described(life, [], { model: textMode(inner) } as Options)
  },
}

/** Scripts of tools, and of questions about them. */
export const toolScripts: readonly Script[] = [plain, parallel, asking, approvals, limited, written]
