import { checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import { cached } from '../json.ts'
import { assertOption } from '../options.ts'
import { schemaBy } from '../schema.ts'
import type { Entry, RunState } from '../state.ts'
import type { AnyTool, Bundled, ToolOptions, ToolSet, TurnCode } from '../tool.ts'

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
    effect: 'readOnly',
    execute: () => ({ opened: names }),
    bundled(name) {
      const own: Opening = {
        openedAt: (state) => openedAt(state, name),
        check: (state, tool) => checkOpen(state, name, tool),
      }
      return Object.fromEntries(
        Object.entries(tools).map(([inner, each]) => {
          const { turns }: { readonly turns?: TurnCode } = Object(each)
          return [inner, { ...each, bundle: own, turns: { ...turns, offer: opened } }]
        }),
      )
    },
  }
}

interface Opening extends Bundled {
  /** Returns the turn that opened the bundle. */
  openedAt(state: RunState): number | undefined
}

/** Returns the tools that are in no bundle, then those of open ones: the prompt's beginning stays cached. */
const opened: TurnCode['offer'] = (names, { agent, state }) => {
  const since = (name: string): number | undefined => {
    const inBundle = agent.tools[name]?.bundle as Opening | undefined
    return inBundle ? inBundle.openedAt(state) : 0
  }
  return names.filter((name) => since(name) !== undefined).sort((a, b) => (since(a) ?? 0) - (since(b) ?? 0))
}

/** Throws unless the bundle is open. The model did not know tools that the same turn opened. */
function checkOpen(state: RunState, bundle: string, tool: string): void {
  if ((openedAt(state, bundle) ?? state.iteration) < state.iteration) return
  throw new AgentError('tool_unknown', `"${tool}" can be called once "${bundle}" is open. Call "${bundle}" first.`)
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
