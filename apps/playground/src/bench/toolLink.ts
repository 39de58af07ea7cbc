import { decoded } from '../run/address.ts'

/** The tool of an agent that the bench tries. */
export interface LinkedTool {
  /** The id of the offer. */
  readonly agent: string
  /** The name that the model calls it by; without one, the first tool. */
  readonly tool?: string | undefined
}

/** A link that opens the bench. */
export const toolLink = ({ agent, tool }: LinkedTool): string =>
  `#/tools/${[agent, ...(tool === undefined ? [] : [tool])].map(encodeURIComponent).join('/')}`

/** The tool that an address names, if it names one. */
export function linkedTool(hash: string): LinkedTool | undefined {
  const [agent, tool] = hash.startsWith('#/tools/') ? hash.slice('#/tools/'.length).split('/').map(decoded) : []
  return agent ? { agent, tool: tool || undefined } : undefined
}
