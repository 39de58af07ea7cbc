import { accessCode } from '../remote/accessCode.ts'
import { type ServerRuns, serverRuns } from '../remote/serverRuns.ts'
import { serverUrls } from '../remote/serverUrls.ts'
import type { ServedPlace } from '../workers/Place.ts'
import { browserStorage } from './browserStorage.ts'
import type { PageStorage } from './PageStorage.ts'

/** The runs of this browser, and those of the servers next to the page. */
export async function storageWithServers(): Promise<PageStorage> {
  return {
    ...(await browserStorage()),
    servers: { server: at('server', 'access code'), restate: at('restate', 'access code of Restate') },
  }
}

/** Each server has its own code, which is not valid at the other. */
const at = (place: ServedPlace, key: string): ServerRuns =>
  serverRuns({ place, url: serverUrls[place], code: accessCode(() => localStorage, key) })
