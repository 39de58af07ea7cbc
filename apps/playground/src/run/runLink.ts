/** A link that opens a run of this browser. */
export const runLink = (runId: string): string => `#/runs/${encodeURIComponent(runId)}`

/** The run that an address names, if it names one. */
export function linkedRun(hash: string): string | undefined {
  const id = hash.startsWith('#/runs/') ? hash.slice('#/runs/'.length) : ''
  try {
    return id ? decodeURIComponent(id) : undefined
  } catch {
    return undefined
  }
}
