import type { Agent, AgentHandle, Host, Listener } from '@interleave/core'
import { assertOption, checkAboveZero, checkOptions, withDefaults } from '@interleave/core/internal'
import type { Journal, PermissionStore } from '@interleave/core/journal'
import type { FailureOptions } from './failures.ts'

/** An action on a run, or on the permissions that a user gave for good. */
export type Action =
  | 'start'
  | 'say'
  | 'reply'
  | 'stop'
  | 'resume'
  | 'revoke'
  | 'read'
  | 'list'
  | 'fork'
  | 'delete'
  | 'export'
  | 'import'
  | 'answer'
  | 'listPermissions'
  | 'removePermission'

/** The action and run of a request, for apps that authorize by more than the user. */
export interface RequestedAction {
  readonly action: Action
  /** The run, as its owner names it. It may not exist. */
  readonly runId?: string
  /** For the action `fork`: the run whose first part the new one gets. */
  readonly of?: string
}

/**
 * Returns the user's identity: a string of at most 256 characters that is the same for one user and for no other, alone
 * or together with a context for the tools. Runs belong to the user who started them. Undefined becomes a 401; a
 * `Response` is sent as it is. The request has no body.
 */
export type Authorize<Context = unknown> = (
  request: Request,
  action: RequestedAction,
) => Permission<Context> | PromiseLike<Permission<Context>>
type Permission<Context> = string | UserWithContext<Context> | Response | undefined

/** A user, and the `context` of the runs that this request starts or continues. */
export interface UserWithContext<Context = unknown> {
  readonly user: string
  readonly context: Context
}

/** The context that the tools of these agents need, by their `contextSchema`. */
export type ContextOf<Agents extends readonly unknown[]> = [Taking<Agents[number]>] extends [
  (context: infer Context) => void,
]
  ? Context
  : unknown
/** One function for each tool: the parameter that fits all functions of a union has all their types. */
type Taking<Of> = Of extends { readonly toolTypes?: infer Tools }
  ? { [Name in keyof Tools]: TakenBy<Tools[Name]> }[keyof Tools]
  : never
type TakenBy<Tool> = Tool extends { readonly execute?: infer Execute }
  ? Exclude<Execute, undefined> extends (input: never, options: infer Options) => unknown
    ? Options extends { readonly context: infer Context }
      ? (context: 0 extends 1 & Context ? unknown : Context) => void
      : never
    : never
  : never

export interface HandlerOptions<Context = unknown> extends FailureOptions {
  /**
   * The agents. For a handle, such as a `restateAgent()`, whose runs execute elsewhere, `journal` is the one that
   * stores them there.
   */
  agents: readonly (Agent | AgentHandle)[]
  /** Stores the runs. Several handlers may share one. */
  journal: Journal
  /** Returns the user of a request. */
  authorize: Authorize<Context>
  /**
   * Returns the context of a run that no request with a context continues here: one that is taken over after a restart,
   * or whose user `authorize` returned alone. It may be async, and gets the user and the run's id as they know it.
   */
  contextOf?: (user: string, runId: string) => Context | PromiseLike<Context>
  /**
   * Signs the tokens that allow a reply. At least 32 bytes, the same in all handlers of a journal. Of several, the
   * first signs and all are valid, so that one can be replaced.
   */
  secret: string | readonly string[]
  /**
   * Origins of pages that may send requests, exactly as browsers write them. Without it, only pages of the server's own
   * origin, which is derived from `Sec-Fetch-Site`, or from the `Host` and `X-Forwarded-Host` headers.
   */
  allowedOrigins?: readonly string[]
  limits?: Partial<HandlerLimits>
  /**
   * Returns the store of `rememberPermissions()` for a user, by the identity that `authorize` returned. With it, pages can list
   * permissions and take them back: `remotePermissionStore()`.
   */
  permissionStore?: (user: string) => PermissionStore
  /** Attached to each run that executes here, as those of `start()`: for logs, metrics and bills. */
  observers?: readonly Listener[]
  /** Time, timers and effects. */
  host?: Host
}

export const handlerNames = [
  'agents',
  'journal',
  'authorize',
  'contextOf',
  'secret',
  'allowedOrigins',
  'limits',
  'permissionStore',
  'observers',
  'onFailure',
  'log',
  'exposeErrors',
  'host',
] as const

/** The limits of a handler, each for one user unless it says otherwise. */
export interface HandlerLimits {
  /** The maximum bytes of a body; 14,000,000 by default, which is a file of 10 MB as JSON. */
  bodyBytes: number
  /** The maximum requests per minute; 600 by default. */
  requests: number
  /** The maximum number of concurrently running runs; 20 by default. */
  runs: number
  /** The maximum number of concurrently open event streams; 20 by default. */
  streams: number
  /** Milliseconds after which an event stream ends and the client opens a new one; 600,000 by default. */
  streamMs: number
  /**
   * Milliseconds between heartbeats in a stream; 5,000 by default. Less than the time after which any proxy or server
   * closes an idle connection: Bun does after 10 seconds, nginx after 60, Cloudflare after 100.
   */
  heartbeatMs: number
  /** Milliseconds in which a question can be answered with its token; a day by default. */
  replyMs: number
  /**
   * Only for several processes that share the journal: milliseconds without an event after which a run of another
   * process counts as abandoned, and is taken over. It must be more than the longest tool call takes. Without it, this
   * is the only process, and immediately takes over the runs that a restart interrupted. A command for a run takes the
   * run over at once in any case.
   */
  takeoverAfterMs?: number
}

export const defaultLimits: HandlerLimits = {
  bodyBytes: 14_000_000,
  requests: 600,
  runs: 20,
  streams: 20,
  streamMs: 600_000,
  heartbeatMs: 5_000,
  replyMs: 86_400_000,
}

/** Validates the limits and applies the defaults. */
export function checkLimits(given: Partial<HandlerLimits> = {}): HandlerLimits {
  checkOptions('`limits`', given, [
    'bodyBytes',
    'requests',
    'runs',
    'streams',
    'streamMs',
    'heartbeatMs',
    'replyMs',
    'takeoverAfterMs',
  ])
  checkAboveZero('`limits`', given)
  assertOption(
    given.takeoverAfterMs !== Number.POSITIVE_INFINITY,
    'The `takeoverAfterMs` of `limits` must be a number of milliseconds. If only one process has the journal, leave it out.',
  )
  return withDefaults(defaultLimits, given)
}
