import { outcomeOfCall } from '@interleave/connect/internal'
import { type Json, localHost, type Run } from '@interleave/core'
import { isObject, messageOf, reportLater } from '@interleave/core/internal'
import type { CallMessage } from '@interleave/core/observe'
import type { McpServer } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import type { McpTool } from '../client/toolList.ts'
import { AppCalls, appResult, type Callable, errorResult } from './appCalls.ts'
import { AppChannel, type FrameWindow } from './appChannel.ts'
import { type AppPermission, type AppResource, pageOf } from './appResource.ts'
import type { AppCall, AppRuns } from './appRuns.ts'

/** The state of a shown app, for the page. */
export type AppState =
  /** The tool has no app. */
  | { readonly status: 'none' }
  | { readonly status: 'loading' }
  /** Show the sandbox page in a frame, and give its window to `connect()`. */
  | AppReady
  | { readonly status: 'failed'; readonly error: string }

export interface AppReady {
  readonly status: 'ready'
  readonly title: string
  readonly hasBorder: boolean
  /** The features that the frame may have. */
  readonly permissions: readonly AppPermission[]
  /** The height in pixels that the app wants. */
  readonly height: number | undefined
}

/** The page around an app, as the app sees it. */
export interface AppHostContext {
  readonly theme?: 'light' | 'dark'
  readonly locale?: string
  readonly maxHeight?: number
}

/** An app and its server. */
export interface FoundApp {
  readonly server: McpServer
  readonly tool: McpTool
  readonly resource: AppResource
}

/** The parts of `mcpApps()` that a view uses. */
export interface AppViewParts {
  readonly runs: AppRuns
  readonly origin: string
  readonly permissions: readonly AppPermission[]
  /** Finds the app of a tool of the agent. */
  find(tool: string): Promise<FoundApp | undefined>
  readonly callable: Callable
}

const protocolVersion = '2026-01-26'
/** Milliseconds that the sandbox page has to answer, after its frame has loaded. */
const sandboxMs = 5_000
const mostHeight = 10_000

/** Shows one call in its app: a store for the page, and the host's side of the channel to the app. */
export class AppView {
  readonly #parts: AppViewParts
  readonly #tool: string
  readonly #call: AppCall | undefined
  readonly #listeners = new Set<() => void>()
  readonly #calls: AppCalls
  #state: AppState = { status: 'loading' }
  #asking: Run | undefined
  #found: FoundApp | undefined
  #loading: Promise<void> | undefined
  #channel: AppChannel | undefined
  #message: CallMessage | undefined
  #hostContext: AppHostContext = {}
  /** The messages that were sent to the app since it began. */
  #sent: { input?: true; end?: true; hostContext?: string } | undefined
  /** True once the sandbox page has answered. */
  #isAnswering = false
  #cancelTimer = (): void => {}

  constructor(parts: AppViewParts, tool: string, call: AppCall | undefined) {
    this.#parts = parts
    this.#tool = tool
    this.#call = call
    this.#calls = new AppCalls({
      ...parts,
      call,
      onAsking: (run) => {
        this.#asking = run
        this.#notify()
      },
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly getState = (): AppState => this.#state
  /** Returns the app's run that has an open question. */
  readonly getAsking = (): Run | undefined => this.#asking

  /** Finds the app, and its questions that are open from an earlier page. Returns a function that ends the view. */
  open(): () => void {
    const call = this.#call
    const unregister = call && this.#parts.runs.register(call)
    void this.load()
    if (call)
      this.#parts.runs.unfinished(call).then((runs) => {
        for (const run of runs) if (this.#calls.followRun(run)) void this.#restartAfter(run)
      }, reportLater)
    return () => unregister?.()
  }

  /**
   * Restarts the app after a run of an earlier page: the app that requested it no longer exists, and the new one does
   * not wait for the result.
   */
  async #restartAfter(run: Run): Promise<void> {
    const outcome = await outcomeOfCall(run)
    if ('output' in outcome && this.#sent) this.#sendApp()
  }

  /** Reads the app, also after a failure. */
  load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #read(): Promise<void> {
    if (this.#found) return
    this.#set({ status: 'loading' })
    try {
      const found = await this.#parts.find(this.#tool)
      this.#found = found
      this.#set(found ? this.#ready(found, undefined) : { status: 'none' })
    } catch (error) {
      this.#set({ status: 'failed', error: messageOf(error) })
    }
  }

  #ready({ tool, resource }: FoundApp, height: number | undefined): AppReady {
    const permissions = resource.permissions.filter((each) => this.#parts.permissions.includes(each))
    return { status: 'ready', title: tool.title ?? tool.name, hasBorder: resource.hasBorder, permissions, height }
  }

  /** Opens a channel to the app in a frame that shows the sandbox page. Returns a function that closes it. */
  connect(frame: FrameWindow): () => void {
    this.#channel?.close()
    const channel = new AppChannel({
      frame,
      origin: this.#parts.origin,
      now: localHost.now,
      onRequest: (method, params, signal) => this.#answer(method, params, signal),
      onNotification: (method, params) => this.#receive(method, params),
      onFlood: () => this.#fail('The app sent too many messages, and was closed.'),
    })
    this.#channel = channel
    return () => {
      channel.close()
      this.#cancelTimer()
      if (this.#channel === channel) this.#channel = undefined
    }
  }

  /** Call it when the frame has loaded. The view fails if the sandbox page does not answer soon after. */
  loaded(): void {
    this.#cancelTimer()
    if (this.#isAnswering) return
    const words = `The sandbox page of ${this.#parts.origin} did not answer. Is it the \`sandbox.html\` of this package, and may this page frame it?`
    this.#cancelTimer = localHost.timer(sandboxMs, () => this.#fail(words))
  }

  /** Shows a call in its current state. */
  show(message: CallMessage, hostContext: AppHostContext): void {
    this.#message = message
    this.#hostContext = hostContext
    this.#sendChanges()
  }

  #fail(error: string): void {
    this.#found = undefined
    this.#isAnswering = false
    this.#set({ status: 'failed', error })
  }

  #set(state: AppState): void {
    this.#state = state
    this.#notify()
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #receive(method: string, params: JsonObject): void {
    if (method === 'ui/notifications/sandbox-proxy-ready') this.#sendApp()
    else if (method === 'ui/notifications/initialized') {
      this.#sent ??= {}
      this.#sendChanges()
    } else if (method === 'ui/notifications/size-changed') this.#resize(params.height)
  }

  #sendApp(): void {
    const { resource } = this.#found ?? {}
    if (!resource) return
    this.#isAnswering = true
    this.#cancelTimer()
    this.#sent = undefined
    const { permissions } = this.#state.status === 'ready' ? this.#state : { permissions: [] }
    this.#channel?.notify('ui/notifications/sandbox-resource-ready', {
      html: pageOf(resource),
      sandbox: 'allow-scripts',
      csp: Object.fromEntries(Object.entries(resource.origins).map(([name, hosts]) => [name, [...hosts]])),
      permissions: Object.fromEntries(permissions.map((each) => [each, {}])),
    })
  }

  #resize(height: Json | undefined): void {
    if (typeof height !== 'number' || !(height >= 0) || this.#state.status !== 'ready') return
    const pixels = Math.min(Math.ceil(height), mostHeight)
    if (pixels !== this.#state.height) this.#set({ ...this.#state, height: pixels })
  }

  /** Sends the app the changes that it has not received yet, once it is ready. */
  #sendChanges(): void {
    const [channel, sent, message] = [this.#channel, this.#sent, this.#message]
    if (!channel || !sent || !message) return
    const hostContext = JSON.stringify(this.#hostContext)
    if (sent.hostContext !== undefined && sent.hostContext !== hostContext)
      channel.notify('ui/notifications/host-context-changed', this.#context())
    sent.hostContext = hostContext
    const { state, input, output, error } = message
    if (state === 'writing') return
    if (!sent.input) {
      sent.input = true
      channel.notify('ui/notifications/tool-input', { arguments: isObject(input) ? input : {} })
    }
    if (sent.end || state === 'working' || state === 'waiting') return
    sent.end = true
    if (state === 'done') channel.notify('ui/notifications/tool-result', appResult(output))
    else if (state === 'refused')
      channel.notify('ui/notifications/tool-cancelled', { reason: error?.message || 'The user refused it.' })
    else channel.notify('ui/notifications/tool-result', errorResult(error?.message ?? ''))
  }

  #context(): JsonObject {
    const { theme, locale, maxHeight } = this.#hostContext
    return {
      ...(theme && { theme }),
      ...(locale && { locale }),
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      platform: 'web',
      containerDimensions: { maxHeight: maxHeight ?? mostHeight },
    }
  }

  async #answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return method === 'ui/initialize'
      ? this.#begin()
      : this.#calls.answer(method, params, { server: this.#found?.server, signal })
  }

  #begin(): JsonObject {
    this.#sent = undefined
    const tool = this.#found?.tool
    return {
      protocolVersion,
      hostInfo: { name: 'interleave', version: '1' },
      hostCapabilities: this.#call
        ? { serverTools: {}, serverResources: {}, openLinks: {}, message: { text: {} } }
        : {},
      hostContext: {
        ...this.#context(),
        ...(tool && { toolInfo: { tool: { name: tool.name, inputSchema: tool.inputSchema } } }),
      },
    }
  }
}
