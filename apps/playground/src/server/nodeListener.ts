/** Loaded with the agents, from their sources. */
export { nodeListener } from '@interleave/server/node'
