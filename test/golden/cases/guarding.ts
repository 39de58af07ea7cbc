import { agent, reasonAct, textAnswer } from '@interleave/core'
import {
  allow,
  block,
  guardCalls,
  guardInput,
  guardOutput,
  postprocess,
  rewrite,
  validate,
} from '@interleave/core/steps'
import { scriptedModel } from '@interleave/testing'
import type { GoldenCase } from '../GoldenCase.ts'
import { look, looking } from './tools.ts'

const tools = { look }

export const guarding: readonly GoldenCase[] = [
  {
    name: 'input-rewritten-and-blocked',
    agent: agent({
      name: 'guarded',
      model: scriptedModel('Yours is ***.', 'Fine.'),
      backend: reasonAct({
        before: [
          guardInput((content) => {
            if (content === 'My code is 1234') return rewrite('My code is ***', 'A code.')
            return content === 'Attack' ? block('Attacks.') : allow
          }),
        ],
      }),
    }),
    input: 'My code is 1234',
    whenSettled: [(run) => run.say('Attack'), (run) => run.say('How are you?')],
  },
  {
    name: 'calls-rewritten-and-blocked',
    agent: agent({
      name: 'watched',
      model: scriptedModel({ calls: ['tea', 'secrets', 'milk'].flatMap((what) => looking(what).calls) }, 'Done.'),
      tools,
      backend: reasonAct({
        between: [
          guardCalls(({ input }) => {
            const { what } = input as { what: string }
            if (what === 'secrets') return block('No secrets.')
            return what === 'milk' ? rewrite({ what: 'oat milk' }, 'Vegan.') : allow
          }),
        ],
      }),
    }),
    input: 'Look',
  },
  {
    name: 'output-validated-guarded-and-finished',
    agent: agent({
      name: 'polite',
      model: scriptedModel('Tea is a drink that is hot.', 'Damn hot.', 'Hot.'),
      backend: reasonAct({
        stop: postprocess<string>(
          guardOutput<string>(
            validate<string>(textAnswer(), (answer) => (answer.length > 20 ? 'Too long.' : undefined)),
            (answer) => (answer.includes('Damn') ? block('Rude.') : allow),
            { attempts: 1 },
          ),
          (answer) => `${answer} Enjoy.`,
        ),
      }),
    }),
    input: 'How hot is tea?',
  },
]
