// All that an app with an agent and its hooks can load, for the size limits.

export * from '@interleave/core'
export * from '@interleave/react'
