import { localHost } from '@interleave/core'
import { initialState } from '@interleave/core/internal'
import { runNames } from '@interleave/server/internal'
import { expect, it } from 'vitest'
import { AgUiWriter } from '../events/agUiWriter.ts'
import { agUiFrames, type FramesOptions } from './agUiFrames.ts'

it.each([
  [undefined, 'The run was deleted.'],
  [{ events: [], state: initialState, fault: undefined }, 'The run continued elsewhere. Send the request again'],
])('says why it cannot follow a run any more: %o', async (view, why) => {
  const frames = agUiFrames({
    context: { host: localHost, names: runNames('ada') } as FramesOptions['context'],
    source: { readView: async () => view } as FramesOptions['source'],
    writer: new AgUiWriter({ threadId: 'a' }),
    ...{ from: 3, at: 3, needsMessages: false, problem: undefined, wait: async () => {} },
  })

  let last: string | undefined
  for await (const frame of frames) last = frame
  expect(last).toContain(why)
})
