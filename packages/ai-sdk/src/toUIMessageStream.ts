import type { Run } from '@interleave/core'
import type { Chunk } from './blockChunks.ts'
import { chatStream } from './chatStream.ts'
import type { EndOptions } from './messageChunks.ts'
import { latestAnswer } from './showing.ts'

/**
 * Streams a run's current answer in the AI SDK's format, from its beginning until the run settles. Cancelling the
 * stream does not stop the run.
 *
 * @example
 * return createUIMessageStreamResponse({ stream: toUIMessageStream(guide.start(question)) })
 */
export const toUIMessageStream = (run: Run, options: Pick<EndOptions, 'onError'> = {}): ReadableStream<Chunk> =>
  chatStream(run, latestAnswer, options)
