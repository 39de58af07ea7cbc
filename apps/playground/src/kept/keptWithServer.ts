import { accessCode } from '../remote/accessCode.ts'
import { serverRuns } from '../remote/serverRuns.ts'
import { serverUrl } from '../remote/serverUrl.ts'
import type { Kept } from './Kept.ts'
import { keptInBrowser } from './keptInBrowser.ts'

/** What this browser keeps, and what the server beside the page does. */
export async function keptWithServer(): Promise<Kept> {
  return { ...(await keptInBrowser()), server: serverRuns({ url: serverUrl, code: accessCode(() => localStorage) }) }
}
