import { AgentError } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import type { McpServer } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import { appType } from '../client/toolList.ts'
import { guarded } from './appGuard.ts'

/** Browser features that an app may request. */
export type AppPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite'

/** The origins that an app may reach, as its resource declares them. */
export interface AppOrigins {
  readonly connectDomains: readonly string[]
  readonly resourceDomains: readonly string[]
  readonly frameDomains: readonly string[]
  readonly baseUriDomains: readonly string[]
}

/** A `ui://` resource of an MCP server. */
export interface AppResource {
  readonly html: string
  readonly origins: AppOrigins
  /** The features that it requests. */
  readonly permissions: readonly AppPermission[]
  /** False if it wants no border around it. */
  readonly hasBorder: boolean
}

/** The maximum characters of an app. */
const longest = 2 ** 22

/** Reads an app from its server. Throws if it is invalid. */
export async function readApp(server: McpServer, uri: string): Promise<AppResource> {
  if (!server.request) throw invalid(server, uri, 'cannot be read: its client has no `request()`')
  const { contents } = await server.request('resources/read', { uri })
  const resource = resourceIn(contents, uri)
  if (!resource) throw invalid(server, uri, 'is not among its resources')
  if (typeOf(resource.mimeType) !== appType) throw invalid(server, uri, `is not of the type ${appType}`)
  const html = htmlIn(resource)
  if (html === undefined) throw invalid(server, uri, 'has no text')
  if (html.length > longest) throw invalid(server, uri, `has more than ${longest} characters`)
  const meta = uiOf(resource) ?? (await listedMeta(server, uri).catch(() => undefined)) ?? {}
  return {
    html,
    origins: originsIn(meta.csp),
    permissions: permissionsIn(meta.permissions),
    hasBorder: meta.prefersBorder !== false,
  }
}

const invalid = ({ host }: McpServer, uri: string, words: string): AgentError =>
  new AgentError('remote_failed', `The app ${uri} of the MCP server ${host} ${words}.`)

const resourceIn = (list: unknown, uri: string): JsonObject | undefined =>
  Array.isArray(list) ? list.filter(isObject).find((each) => each.uri === uri) : undefined

const typeOf = (type: unknown): string => (typeof type === 'string' ? type.toLowerCase().replaceAll(' ', '') : '')

const uiOf = ({ _meta }: JsonObject): JsonObject | undefined =>
  isObject(_meta) && isObject(_meta.ui) ? _meta.ui : undefined

function htmlIn({ text, blob }: JsonObject): string | undefined {
  if (typeof text === 'string') return text
  if (typeof blob !== 'string') return undefined
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const mostPages = 16

/** Returns the metadata of an app in the server's list of resources. Rejects if the server has no list. */
async function listedMeta(server: McpServer, uri: string): Promise<JsonObject | undefined> {
  let cursor: string | undefined
  for (let count = 0; count < mostPages; count++) {
    const page = await server.request?.('resources/list', cursor === undefined ? {} : { cursor })
    const resource = resourceIn(page?.resources, uri)
    if (resource) return uiOf(resource)
    const next = page?.nextCursor
    if (typeof next !== 'string' || next === '' || next === cursor) return undefined
    cursor = next
  }
  return undefined
}

const mostOrigins = 32
/** Matches an origin, which may include all its subdomains. The policy must contain nothing else. */
const origin = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d][a-z\d.-]{0,252}(?::\d{1,5})?$/i

function originsIn(csp: unknown): AppOrigins {
  const declared = isObject(csp) ? csp : {}
  const read = (list: unknown): readonly string[] =>
    Array.isArray(list)
      ? list.flatMap((each) => (typeof each === 'string' && origin.test(each) ? [each] : [])).slice(0, mostOrigins)
      : []
  return {
    connectDomains: read(declared.connectDomains),
    resourceDomains: read(declared.resourceDomains),
    frameDomains: read(declared.frameDomains),
    baseUriDomains: read(declared.baseUriDomains),
  }
}

const allPermissions: readonly AppPermission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite']

const permissionsIn = (permissions: unknown): readonly AppPermission[] =>
  isObject(permissions) ? allPermissions.filter((each) => isObject(permissions[each])) : []

/** Returns the page of an app. Its policy and its guard come first, so that the app's own HTML cannot weaken them. */
export const pageOf = ({ html, origins }: AppResource): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policyOf(origins)}">${guarded(html)}`

/** Returns the policy of an app: what it does not declare is not allowed. */
function policyOf({ connectDomains, resourceDomains, frameDomains, baseUriDomains }: AppOrigins): string {
  const list = (name: string, ...sources: readonly string[]): string =>
    `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`
  return [
    list('default-src'),
    list('script-src', "'unsafe-inline'", ...resourceDomains),
    list('style-src', "'unsafe-inline'", ...resourceDomains),
    list('img-src', 'data:', 'blob:', ...resourceDomains),
    list('media-src', 'data:', 'blob:', ...resourceDomains),
    list('font-src', 'data:', ...resourceDomains),
    list('connect-src', ...connectDomains),
    list('frame-src', ...frameDomains),
    list('base-uri', ...baseUriDomains),
    list('form-action'),
    list('object-src'),
  ].join('; ')
}
