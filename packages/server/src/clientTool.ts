import { pageTool } from '@interleave/connect/worker'

/**
 * A tool that a client performs, since only there is what it needs: `remoteAgent({ tools })` has its function. The same as
 * `pageTool()`, so that an agent of the one kind is also one of the other.
 */
export const clientTool: typeof pageTool = pageTool
