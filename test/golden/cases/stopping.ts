import { agent, answer, finalAnswer, reasonAct } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import type { GoldenCase } from '../GoldenCase.ts'
import { calling, look, looking } from './tools.ts'

const tools = { look }

export const stopping: readonly GoldenCase[] = [
  {
    name: 'stop-on-text',
    agent: agent({ name: 'plain', model: scriptedModel(looking('tea', 'I look.'), 'Tea is hot.'), tools }),
    input: 'Tell me about tea',
  },
  {
    name: 'stop-on-typed-final-answer',
    agent: agent({
      name: 'typed',
      model: scriptedModel(
        looking('tea'),
        calling('final_answer', { degrees: 'hot' }),
        calling('final_answer', { degrees: 95 }),
      ),
      tools,
      output: answer(z.object({ degrees: z.number() })),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'stop-on-final-answer-after-a-reminder',
    agent: agent({
      name: 'reminded',
      model: scriptedModel('I think it is hot.', calling('final_answer', { answer: 'Hot.' })),
      tools,
      backend: reasonAct({ stop: finalAnswer() }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'limit-that-is-extended',
    agent: agent({
      name: 'limited',
      model: scriptedModel(looking('a'), looking('b'), looking('c'), 'Done.'),
      tools,
      backend: reasonAct({ limits: { iterations: 2 } }),
    }),
    input: 'Look at all',
    whenSettled: [(run) => run.reply(run.state.asks[0]?.id ?? '', { extend: 2 })],
  },
]
