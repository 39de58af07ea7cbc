import { remoteAgent } from '@interleave/connect/http'
import type { RemoteRun } from '@interleave/connect/tabs'

declare global {
  /** The runs of this tab, for the test. */
  var runs: readonly RemoteRun[]
}

const guide = remoteAgent({ url: '/api', name: 'a', headers: { authorization: 'ada' } })
const search = new URLSearchParams(location.search)
const id = search.get('run')

globalThis.runs = id
  ? [await guide.resume(id)]
  : Array.from({ length: Number(search.get('runs') ?? 1) }, () => guide.start('Go'))
document.title = 'Started'
