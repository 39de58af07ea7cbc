import { AgentError } from '@interleave/core'
import type { Action, Handler } from '@interleave/server'
import { answerProblem } from '@interleave/server/internal'
import type { DurableNamespace } from './durableContext.ts'

/** An intended action, and its run. */
export interface AdmissionAsked {
  readonly action: Action
  /** As the journal has it; empty where it is about none. */
  readonly runId: string
}

/** The user object's decision. */
export interface Admission {
  /** The list has the run. */
  readonly isListed: boolean
}

/** They may have one run more at work. */
const working: readonly Action[] = ['say', 'reply', 'resume']
/** They bring a run into being. */
const beginning: readonly Action[] = ['start', 'fork', 'import']

export const mayWork = (action: Action): boolean => working.includes(action) || mayBegin(action)
export const mayBegin = (action: Action): boolean => beginning.includes(action)

/** Tells what goes wrong as a problem. Answers are given as they are, since a WebSocket may come with them. */
export const withProblems =
  (answer: Handler): Handler =>
  async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      return answerProblem(error)
    }
  }

/** The internal routes between the parts of this host, besides the handler's. */
export const inner = {
  /** Of a run: a WebSocket that says when there is more to read. */
  bell: '/inner/bell',
  /** Of a run: all of it, as a file. */
  file: '/inner/file',
  /** Of a run: it begins as a fork of one in another object. */
  fork: '/inner/fork',
  /** Of a run: what a list shows of it. */
  summary: '/inner/summary',
  /** Asks the user object for capacity. */
  admit: '/inner/admit',
  /** A WebSocket to the user object that is open as long as a stream. */
  stream: '/inner/stream',
  /** Sends a run's list entry to the user object. */
  runs: '/inner/runs',
} as const

/** A request from one part of this host to another. No request from outside reaches the objects. */
export interface ObjectRequest {
  /** The object. */
  readonly name: string
  /** The user, as `authorize` returned it. */
  readonly principal: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Whom an object takes a request to be from. It is set here, and never taken over from outside. */
const header = 'interleave-principal'

export const principalOf = ({ headers }: Pick<Request, 'headers'>): string | undefined => {
  const given = headers.get(header)
  return given === null ? undefined : decodeURIComponent(given)
}

/** Asks an object. Where it cannot be reached, as while a new version of it comes, the same may go better in a moment. */
export async function askObject(
  namespace: DurableNamespace,
  { name, principal, method = 'GET', path, headers = {}, body }: ObjectRequest,
): Promise<Response> {
  const request = new Request(`https://object${path}`, {
    method,
    headers: {
      ...headers,
      [header]: encodeURIComponent(principal),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  try {
    return await namespace.get(namespace.idFromName(name)).fetch(request)
  } catch (cause) {
    throw new AgentError('server_failed', 'The run cannot be reached.', { cause, retryable: true, status: 503 })
  }
}
