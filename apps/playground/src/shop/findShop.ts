import { AgentError } from '@interleave/core'
import { shopPath } from './shopAddress.ts'

/** Throws if the server of this page has no shop, for example because only the page was deployed. */
export async function findShop(): Promise<void> {
  const ledger = await fetch(`${shopPath}/ledger`, { cache: 'no-store' }).catch(() => undefined)
  // Some servers answer every request with the page itself.
  if (ledger?.ok && ledger.headers.get('content-type')?.startsWith('application/json')) return
  throw new AgentError(
    'options_invalid',
    `There is no shop here: the server of this page has no MCP server at ${shopPath}. Run the playground with \`npm start\`, which has one, or choose another agent.`,
  )
}
