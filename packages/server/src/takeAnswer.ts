import { AgentError } from '@interleave/core'
import { readPast } from '@interleave/core/internal'
import type { Bodies } from './bodies.ts'
import { json } from './json.ts'
import type { Visit } from './place.ts'

/**
 * Accepts the result of a client's call. A result that is not awaited any more is not an error: it may have been sent
 * twice.
 */
export async function takeAnswer(
  { pages, runs, journal, runId, url }: Visit,
  body: Bodies['answer'],
): Promise<Response> {
  const { call, output, error } = body
  if ((output === undefined) === (error === undefined)) {
    throw new AgentError('request_invalid', 'Give either "output" or "error".')
  }
  if (!runs.isOpening(runId)) await readPast(runId, { journal })
  const name = url.searchParams.get('client') ?? ''
  const isTaken = pages.hear(
    { runId, name },
    error === undefined ? { type: 'output', call, value: output ?? null } : { type: 'failed', call, error },
  )
  return json({ taken: isTaken })
}
