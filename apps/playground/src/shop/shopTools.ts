import { approval, type ToolContext, tool } from '@interleave/core'
import type { McpTool } from '@interleave/mcp'
import { modelOffer } from './shopOffer.ts'

/**
 * The tools of the shop, by the list that was reviewed. The client that calls them is fetched at the first call, not
 * with the page.
 */
export const shopTools = Object.fromEntries(modelOffer.map((offer) => [offer.name, calledLater(offer)]))

/** A tool as `mcpTools()` makes it. */
function calledLater({ name, description = name, inputSchema, annotations }: McpTool): object {
  const load = async (): Promise<ShopTool> => (await (await import('./shop.ts')).shop.current())[name] as ShopTool
  return tool<object, unknown>({
    description,
    inputSchema: { jsonSchema: inputSchema } as never,
    effect: 'atMostOnce',
    approve: annotations?.destructiveHint === true ? approval() : undefined,
    async *execute(input, context) {
      yield* (await load()).execute(input, context)
    },
    toModelOutput: async (result) => (await load()).toModelOutput(result),
  })
}

interface ShopTool {
  execute(input: object, context: ToolContext): AsyncIterable<unknown>
  toModelOutput(result: { output: unknown }): never
}
