import type { Agent, Event, Listener } from '@interleave/core'

export declare const observation: string
export declare const events: readonly Event[]
export declare const agents: readonly Agent[]
export declare const sendToServer: Listener
