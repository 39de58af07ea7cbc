import { isObject } from '@interleave/core/internal'
import type { McpTool } from '../client/toolList.ts'

/** The media type of apps. */
export const appType = 'text/html;profile=mcp-app'

/** Statements of a tool about the app that shows its calls, and about its callers. */
export interface ToolApp {
  /** The address of the app, beginning with `ui://`. */
  readonly uri?: string
  readonly isForModel: boolean
  readonly isForApps: boolean
}

/** Returns the statements of a tool about its app. Invalid statements are ignored. */
export function toolApp({ _meta: meta }: McpTool): ToolApp {
  const own = isObject(meta) ? meta : {}
  const { resourceUri = own['ui/resourceUri'], visibility } = isObject(own.ui) ? own.ui : {}
  const says = (who: string): boolean => !Array.isArray(visibility) || visibility.includes(who)
  return {
    ...(isAppUri(resourceUri) && { uri: resourceUri }),
    isForModel: says('model'),
    isForApps: says('app'),
  }
}

const isAppUri = (uri: unknown): uri is string =>
  typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 2_000
