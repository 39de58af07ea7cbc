import { AgentError, type Host } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import type { IngressOptions } from './ingress.ts'

export interface ReadSummariesOptions extends Pick<IngressOptions, 'headers' | 'fetch'> {
  readonly admin: string
  readonly service: string
  readonly host: Pick<Host, 'timer'>
}

/** What lists show of all runs, by the state that Restate keeps. A part of a cluster that is just moved is asked again. */
export async function readSummaries(options: ReadSummariesOptions): Promise<readonly RunSummary[]> {
  const { admin, service, headers, host, fetch = (url, init) => globalThis.fetch(url, init) } = options
  const query = `SELECT value_utf8 FROM state WHERE service_name = '${service.replaceAll("'", "''")}' AND key = 'summary'`
  for (let pause = 50; ; pause *= 2) {
    const response = await fetch(`${admin.replace(/\/+$/, '')}/query`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    })
    if (response.ok) {
      const { rows } = (await response.json()) as { rows: readonly { readonly value_utf8: string }[] }
      return rows.map((row) => JSON.parse(row.value_utf8) as RunSummary)
    }
    const why = `${response.status} ${await response.text()}`
    if (pause > 5_000) throw new AgentError('remote_failed', `Restate does not list its runs: ${why}`)
    await new Promise<void>((resolve) => void host.timer(pause, resolve))
  }
}
