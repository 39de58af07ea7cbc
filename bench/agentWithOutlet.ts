// What an app loads that shows questions by the outlet too, for the size limits.

export { SignalOutlet } from '@interleave/react'
export * from './agentWithHooks.ts'
