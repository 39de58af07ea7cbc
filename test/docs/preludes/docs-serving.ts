import type { AgentHandle, Json } from '@interleave/core'
import type { ReactNode } from 'react'

/** A list of runs, of the app. */
export declare function History(props: { agent: AgentHandle }): ReactNode
/** Of the app's database. */
export declare const orders: { of(user: string): Promise<Json> }
