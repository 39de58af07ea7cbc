/** The path of the shop on the server of the page. */
export const shopPath = '/mcp'
/** Names the shop to agents that work in a process. */
export const shopVariable = 'PLAYGROUND_SHOP'

/** The address of the shop: with the page in a page and its workers, by the environment in a server. */
export function shopAddress(): string | undefined {
  if (typeof location === 'object') return new URL(shopPath, location.origin).href
  return typeof process === 'object' ? process.env[shopVariable] : undefined
}
