import type { AgentHandle, Json } from '@interleave/core'
import type { ReactNode } from 'react'

/** A list of runs, of the app. */
export declare function History(props: { agent: AgentHandle }): ReactNode
/** Of the app's database. */
export declare const orders: { of(user: string): Promise<Json> }
/** Of a service that collects errors. */
export declare const sentry: { captureMessage(message: string, more: { extra: object }): void }
/** Of the app's logger. */
export declare const logger: { error(line: string): void }
