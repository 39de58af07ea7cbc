/** The path of the shop on the server of the page. */
export const shopPath = '/mcp'
/** The environment variable with the address of the shop, for agents that work in a process. */
export const shopVariable = 'PLAYGROUND_SHOP'

/**
 * Returns the address of the shop: relative to the page in a page and its workers, from the environment in a server.
 */
export function shopAddress(): string | undefined {
  if (typeof location === 'object') return new URL(shopPath, location.origin).href
  return typeof process === 'object' ? process.env[shopVariable] : undefined
}
