import { AgentError } from '@interleave/core'
import type { Action, Handler, HandlerLimits } from '@interleave/server'
import { type AnswerOptions, answerProblem } from '@interleave/server/internal'
import type { DurableNamespace } from './durableContext.ts'

/** The limits of a handler, without the takeover time: an object has no other process. */
export type ObjectLimits = Partial<Omit<HandlerLimits, 'takeoverAfterMs'>>

export interface AdmissionRequest {
  readonly action: Action
  /** The id as the journal has it; empty if the action is about no run. */
  readonly runId: string
}

/** The user object's decision. */
export interface Admission {
  /** True if the list has the run. */
  readonly isListed: boolean
}

/** The actions after which one more run may work. */
const working: readonly Action[] = ['say', 'reply', 'resume']
/** The actions that create a run. */
const beginning: readonly Action[] = ['start', 'fork', 'import']

export const mayWork = (action: Action): boolean => working.includes(action) || mayBegin(action)
export const mayBegin = (action: Action): boolean => beginning.includes(action)

/** Converts errors to problems. Responses are returned unchanged, since they may come with a WebSocket. */
export const withProblems =
  (answer: Handler, options: AnswerOptions = {}): Handler =>
  async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      return answerProblem(error, { ...options, request })
    }
  }

/** The internal routes between the parts of this host, in addition to the handler's. */
export const inner = {
  /** For a run: opens a WebSocket that reports when there is more to read. */
  wake: '/inner/wake',
  /** For a run: exports it as a file. */
  file: '/inner/file',
  /** For a run: starts it as a fork of one in another object. */
  fork: '/inner/fork',
  /** For a run: returns its list entry. */
  summary: '/inner/summary',
  /** Asks the user object for capacity. */
  admit: '/inner/admit',
  /** Opens a WebSocket to the user object that is open as long as a stream. */
  stream: '/inner/stream',
  /** Sends a run's list entry to the user object. */
  runs: '/inner/runs',
} as const

/** A request from one part of this host to another. No request from outside reaches the objects. */
export interface ObjectRequest {
  readonly name: string
  /** The user, as `authorize` returned it. */
  readonly principal: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The header with the user of a request. It is set here, and never copied from a request from outside. */
const header = 'interleave-principal'

export const principalOf = ({ headers }: Pick<Request, 'headers'>): string | undefined => {
  const encoded = headers.get(header)
  return encoded === null ? undefined : decodeURIComponent(encoded)
}

/**
 * Sends a request to an object. If the object is unreachable, for example during a deployment, a retry may succeed
 * soon.
 */
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
