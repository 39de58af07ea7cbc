import type { Run } from '@interleave/core'
import type { Chunk } from './blockChunks.ts'
import { chatStream } from './chatStream.ts'
import type { EndOptions } from './messageChunks.ts'
import { latestAnswer } from './showing.ts'

/**
 * The answer that a run is at, from its beginning until the run rests, as the AI SDK streams it. Whoever reads no further
 * leaves the run at work.
 *
 * @example
 * return createUIMessageStreamResponse({ stream: toUIMessageStream(guide.start(question)) })
 */
export const toUIMessageStream = (run: Run, options: Pick<EndOptions, 'onError'> = {}): ReadableStream<Chunk> =>
  chatStream(run, latestAnswer, options)
