import { expect, it } from 'vitest'
import { position, visitCounts } from '../graph/index.ts'
import { enforced } from '../steps/index.ts'
import { adviceOf, fold, messagesOf, openCalls, partialOutput, reduce, scratchpad, staticRun } from './index.ts'

const shape = { name: 'g', nodes: [], edges: [] }

it.each([
  ['messagesOf', (none: never) => messagesOf(none)],
  ['scratchpad', scratchpad],
  ['partialOutput', (none: never) => partialOutput(none)],
  ['staticRun', staticRun],
  ['enforced', enforced],
  ['position', (none: never) => position(none, shape)],
  ['openCalls', openCalls],
  ['reduce', (none: never) => reduce(none, {} as never)],
  ['reduce', (none: never) => reduce(fold([]), none)],
  ['fold', (none: never) => fold(none)],
  ['fold', (none: never) => fold([none])],
  ['adviceOf', adviceOf],
  ['visitCounts', (none: never) => visitCounts(none, shape)],
])('%s() says what it needs in place of what is no state', (name, read) => {
  for (const none of [null, undefined, {}])
    expect(() => read(none as never)).toThrow(
      expect.objectContaining({ code: 'options_invalid', message: expect.stringContaining(`${name}()`) }),
    )
})
