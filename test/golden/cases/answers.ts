import { agent, finalAnswer, reasonAct, textAnswer } from '@interleave/core'
import { confidentAnswer, enforce, forceAction, inOrder, noRepeats } from '@interleave/core/steps'
import { scriptedModel } from '@interleave/testing'
import type { GoldenCase } from '../GoldenCase.ts'
import { calling, look, looking } from './tools.ts'

const tools = { look }
const sure = (answer: string, confidence: number) => calling('answer_with_confidence', { answer, confidence })

export const answers: readonly GoldenCase[] = [
  {
    name: 'stop-on-confidence',
    agent: agent({
      name: 'careful',
      model: scriptedModel(sure('Hot.', 0.5), looking('tea'), sure('Very hot.', 0.95)),
      tools,
      backend: reasonAct({ stop: confidentAnswer() }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'stop-on-confidence-stated-in-text',
    agent: agent({
      name: 'stating',
      model: scriptedModel('Hot.', 'Hot.\nConfidence: 40%', 'Hot.\n**Confidence:** 0.9'),
      backend: reasonAct({ stop: confidentAnswer({ textOnly: true }) }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'stop-on-the-first-of-two-rules',
    agent: agent({
      name: 'hybrid',
      model: scriptedModel(sure('Hot.', 0.2), calling('final_answer', { answer: 'Hot.' })),
      backend: reasonAct({ stop: inOrder(finalAnswer(), confidentAnswer()) }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'enforced-and-completed',
    agent: agent({
      name: 'forgetful',
      model: scriptedModel('Hot.', 'Hot, I said.', 'Hot!'),
      backend: reasonAct({ stop: finalAnswer(), otherwise: enforce() }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'enforced-and-failed',
    agent: agent({
      name: 'stubborn',
      model: scriptedModel('Hot.', 'Hot!'),
      backend: reasonAct({ stop: finalAnswer(), otherwise: enforce({ attempts: 1, whenExhausted: 'fail' }) }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'action-forced-after-three-thoughts',
    agent: agent({
      name: 'musing',
      model: scriptedModel('Hm.', 'Hm?', 'Hm!', looking('tea'), calling('final_answer', { answer: 'Hot.' })),
      tools,
      backend: reasonAct({ stop: finalAnswer(), before: [forceAction()] }),
    }),
    input: 'How hot is tea?',
  },
  {
    name: 'repeated-calls-warned-and-stopped',
    agent: agent({
      name: 'circling',
      model: scriptedModel(looking('tea'), looking('tea'), looking('tea'), looking('tea')),
      tools,
      backend: reasonAct({ stop: textAnswer(), between: [noRepeats()] }),
    }),
    input: 'How hot is tea?',
  },
]
