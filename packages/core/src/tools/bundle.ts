import { checkOptions, DEV } from '#checks'
import { cached } from '../json.ts'
import { assertOption } from '../options.ts'
import { schemaBy } from '../schema.ts'
import type { Entry, RunState } from '../state.ts'
import type { AnyTool, Bundled, ToolOptions, ToolSet } from '../tool.ts'

export interface BundleOptions {
  /** Describes to the model what the tools in it are for. */
  description: string
  tools: ToolSet
}

/**
 * Groups tools that cost no tokens until the model wants them. The model sees the bundle, and its tools once it has
 * called it, for the rest of the run. A bundle may contain bundles. All tool names of an agent must be unique, also in
 * bundles.
 *
 * @example
 * tools: { files: bundle({ description: 'Opens tools to read and write files.', tools: { readFile, writeFile } }) }
 */
export function bundle(
  options: BundleOptions,
): ToolOptions<object, unknown> & { readonly bundled: (name: string) => ToolSet } {
  checkOptions('bundle()', options, ['description', 'tools'])
  const { description, tools } = options
  assertOption(tools && Object.keys(tools).length > 0, DEV && 'A bundle has no tools. Give them by name: { readFile }.')
  const names = Object.entries(tools).map(([name, each]) => {
    const { description: use }: AnyTool = Object(each)
    return { name, ...(typeof use === 'string' && { description: use }) }
  })
  return {
    description,
    inputSchema: anything,
    effect: 'pure',
    execute: () => ({ opened: names }),
    bundled(name) {
      const own: Bundled = { name, openedAt: (state) => openedAt(state, name) }
      return Object.fromEntries(Object.entries(tools).map(([inner, each]) => [inner, { ...each, bundle: own }]))
    },
  }
}

const perPage = new WeakMap<readonly Entry[], ReadonlyMap<string, number>>()

/** Returns the turn that opened a bundle. Reads each page of the history, which never changes, once. */
function openedAt({ history }: RunState, name: string): number | undefined {
  for (const page of history) {
    const turn = cached(perPage, page, () => firstCalls(page)).get(name)
    if (turn !== undefined) return turn
  }
  return undefined
}

/** Returns the turns in which tools were first called without an error. */
function firstCalls(page: readonly Entry[]): ReadonlyMap<string, number> {
  const turns = new Map<string, number>()
  for (const entry of page) {
    if (entry.type !== 'turn') continue
    for (const { name, result, error } of entry.calls)
      if (result && !error && !turns.has(name)) turns.set(name, entry.iteration)
  }
  return turns
}

const anything = schemaBy({ type: 'object', properties: {}, additionalProperties: false }, () => ({}))
