import type { AgentHandle } from '@interleave/core'
import type { ReactNode } from 'react'

/** A list of runs, of the app. */
export declare function History(props: { agent: AgentHandle }): ReactNode
