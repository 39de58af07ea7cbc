import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'vite'
import { checkRequest } from './checkRequest.ts'
import { forward } from './forward.ts'
import { refuse } from './refuse.ts'

/**
 * Forwards `/llm/*` to the model server that the header `x-llm-target` names, in dev and preview. The browser then needs
 * no permission from that server, and the key goes no further than there.
 */
export function llmProxy(): Plugin {
  return {
    name: 'llm-proxy',
    configureServer: ({ middlewares }) => void middlewares.use('/llm', proxyRequest),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/llm', proxyRequest),
  }
}

/** One request to the proxy: `url` is what follows `/llm`. */
export function proxyRequest(request: IncomingMessage, response: ServerResponse): void {
  const checked = checkRequest(request)
  if ('refusal' in checked) refuse(response, { status: 403, type: 'proxy_refused', message: checked.refusal })
  else forward(request, response, checked.target)
}
