// The names that examples of doc comments use without an import, as the code around them would have them.

import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { runObject, serveRuns } from '@interleave/cloudflare'
import type { Ask, Event, Json, Run, Signal, Step, ToolSet, UserContent } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import type { JournalStore, PermissionStore } from '@interleave/core/journal'
import type { CallMessage, ChatMessage } from '@interleave/core/observe'
import type { pinned } from '@interleave/core/tools'
import type { mcpClient, serveAgents } from '@interleave/mcp'
import type { mcpApps } from '@interleave/mcp/apps'
import type { TraceIds } from '@interleave/otel'
import type { ToolCardProps } from '@interleave/react'
import type { RestateHostOptions } from '@interleave/restate'
import type { remoteWebMcpTools } from '@interleave/webmcp'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Tracer } from '@opentelemetry/api'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { guide } from './every.ts'

export { readFile } from 'node:fs/promises'
export { createServer } from 'node:http'
export { useChat } from '@ai-sdk/react'
export { McpApp } from '@interleave/react/mcp-app'
export { trace } from '@opentelemetry/api'
export { useInfiniteQuery } from '@tanstack/react-query'
export { createUIMessageStreamResponse } from 'ai'
export { lazy, useRef } from 'react'

/** Of an app. */
export declare const id: string
export declare const runId: string
export declare const text: string
export declare const question: string
export declare const url: string
export declare const error: unknown
export declare const photo: Blob
export declare const signal: Signal
export declare const ask: Extract<Ask, { kind: 'approval' }>
export declare const events: readonly Event[]
export declare function send(what: unknown): void
export declare function show(what: unknown): void
export declare function download(text: string): void
export declare function userOf(request: Request): Promise<string | undefined>

/** Of its tools and strategies. */
export declare const inputSchema: z.ZodType<{ cents: number }>
export declare function pay(input: { cents: number }): Promise<Json>
export declare const draw: object
export declare const book: ToolSet[string]
export declare const readBrief: { inputSchema: z.ZodType<object>; execute(input: object): { legal: boolean } }
export declare const writeFile: ToolSet[string]
export declare function checkIn(turns: number): Step
export declare const fast: LanguageModelV4
export declare const researcher: typeof guide
export declare const coder: ExternalAgent
export declare const writer: Step
export declare const critic: Step
export declare const score: { get(run: object): number }
export declare const findTrains: Step
export declare const findFlights: Step
export declare const compare: Step
export declare const pins: Parameters<typeof pinned>[1]['pins']
export declare const plugins: { list(): Promise<readonly string[]> }
export declare function toolsFor(names: readonly string[]): ToolSet

/** Of a journal of its own. */
export declare const append: JournalStore['append']
export declare const read: JournalStore['read']
export declare const list: JournalStore['list']
export declare const remove: () => Promise<void>
export declare const store: PermissionStore

/** Of a page. */
export declare const headers: Readonly<Record<string, string>>
export declare const children: ReactNode
export declare const button: HTMLButtonElement
export declare const key: string
export declare const message: CallMessage
export declare const queryClient: QueryClient
export declare const chime: string
export declare const apps: ReturnType<typeof mcpApps>
export declare const agentOfTheFile: typeof guide
export declare const part: { data: Ask }
export declare function sendMessage(message: undefined, reply: object): void
export declare const setRun: (run: Run) => void
export declare const page: { signal: AbortSignal } & ((whom: string, what: unknown) => void)
export declare function onProgress(share: number): void
export declare function say(content: UserContent): Promise<void>
export declare function play(sound: string): void
export declare function Message(props: { message: ChatMessage }): ReactNode
export declare function Conversation(props: { run: Run }): ReactNode
export declare function Trip(props: { run: Run }): ReactNode
export declare function BookingCard(props: ToolCardProps): ReactNode

/** Of a server. */
export declare function handle(request: Request): Promise<Response>
export declare const tracer: Tracer
export declare const spanProcessors: readonly object[]
export declare class TracerProvider {
  constructor(options: { idGenerator: TraceIds; spanProcessors: readonly object[] })
}
export declare const sdk: RestateHostOptions['sdk']
export declare const agents: RestateHostOptions['agents']
export declare const ingress: string
export type DurableObjectState = Parameters<typeof runObject>[0]
export interface Env {
  readonly SECRET: string
  readonly RUNS: Parameters<typeof serveRuns>[0]['runs']
  readonly USERS: NonNullable<Parameters<typeof serveRuns>[0]['users']>
}

/** Of the Model Context Protocol. */
export declare const mcp: { tools(): Promise<ToolSet> }
export declare const shop: ReturnType<typeof mcpClient>
export declare const shopUrl: string
export declare const docsUrl: string
export declare const redirectUrl: string
export declare const provider: OAuthClientProvider
export declare function popupCode(): Promise<{ code: string }>
export declare const server: Parameters<typeof serveAgents>[0]
export declare const codec: Parameters<typeof serveAgents>[1]['codec']
export declare const pageAccess: ReturnType<typeof remoteWebMcpTools>
export type Guide = typeof guide
