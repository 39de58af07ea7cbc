// What an app loads that has an agent and shows its runs, for the size limits.

export { agent, tool } from '@interleave/core'
export * from '@interleave/react'
