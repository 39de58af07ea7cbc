import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { listen } from '@interleave/test-kit/listen'
import { bodyOf, bodyOfError, type Capture, type Manifest } from './capture.ts'
import { chunks, type Split } from './pieces.ts'

/** The way to send a stream, from the headers of the request. */
export interface Sending {
  readonly split?: Split
  /** End after so many bytes. */
  readonly cut?: number
  /** The end of a cut stream: without an error, or with a broken connection. */
  readonly ending?: 'clean' | 'broken'
}

export interface ReplayServer {
  readonly url: string
  /** The bodies of the requests to a session, in order. */
  bodies(session: string): readonly string[]
  close(): Promise<void>
}

/**
 * Answers as providers did. Any path may follow, so each can be the base of a provider's own: `/f/<capture>`,
 * `/s/<index of a scenario>/<session>`, where the k-th request gets the k-th stream, and `/e/<index of an error>`.
 */
export async function startReplayServer(manifest: Manifest): Promise<ReplayServer> {
  const captures = new Map(manifest.captures.map((capture) => [capture.id, capture]))
  const sessions = new Map<string, string[]>()

  const captureFor = (kind: string, id: string, session: string, body: string): Capture | undefined => {
    if (kind === 'f') return captures.get(id)
    const bodies = sessions.get(session) ?? []
    sessions.set(session, bodies)
    bodies.push(body)
    return captures.get(manifest.scenarios[Number(id)]?.steps[bodies.length - 1] ?? '')
  }
  const { url, close } = await listen(async (request, response) => {
    const body = await text(request)
    const [, kind = '', id = '', session = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const error = kind === 'e' ? manifest.errors[Number(id)] : undefined
    if (error) {
      response.writeHead(error.status, { 'content-type': error.content_type ?? 'application/json' })
      return response.end(bodyOfError(error))
    }
    const capture = captureFor(kind, id, session, body)
    if (!capture) return response.writeHead(410).end('There is nothing more to replay.')
    return send(response, bodyOf(capture), sendingOf(request))
  })
  return { url, bodies: (session) => sessions.get(session) ?? [], close }
}

/** The request headers that make the server send as it is told to. */
export const sendingHeaders = ({ split = 'whole', cut, ending = 'broken' }: Sending): Record<string, string> => ({
  'x-split': String(split),
  ...(cut !== undefined && { 'x-cut': String(cut), 'x-ending': ending }),
})

function sendingOf({ headers }: IncomingMessage): Required<Sending> {
  const split = headers['x-split'] as Split | undefined
  const ending = headers['x-ending'] === 'clean' ? 'clean' : 'broken'
  return { split: split ?? 'whole', cut: Number(headers['x-cut'] ?? Number.POSITIVE_INFINITY), ending }
}

/** Writes piece by piece, each in a turn of the event loop of its own: what is written at once arrives at once. */
async function send(response: ServerResponse, body: Buffer, { split, cut, ending }: Required<Sending>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const chunk of chunks(body.subarray(0, cut), split)) {
    if (response.destroyed) return
    response.write(chunk)
    await setImmediate()
  }
  if (cut >= body.length || ending === 'clean') return void response.end()
  // The written bytes must arrive before the connection breaks.
  await setTimeout(5)
  response.destroy()
}
