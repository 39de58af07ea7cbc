import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HandlerOptions } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { openHandler } from './handlerCalls.ts'
import { type Listening, listen } from './listen.ts'

/** Serves runs of one user below `/api`, and everything else by a function. */
export function serveHandler(
  agents: HandlerOptions['agents'],
  serveRest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const serveRuns = nodeListener(openHandler(agents, { authorize: () => 'ada' }))
  return listen((request, response) =>
    request.url?.startsWith('/api/') ? serveRuns(request, response) : serveRest(request, response),
  )
}
