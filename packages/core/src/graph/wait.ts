import { demand } from '../demand.ts'
import { sleep } from '../host.ts'
import type { RunContext, Step } from '../run.ts'
import { visitOf } from './inVisit.ts'

/** Makes a node that waits for this many milliseconds. A resumed visit waits for the rest of them. */
export function wait(ms: number): Step {
  demand(Number.isFinite(ms) && ms >= 0, `wait(${ms}): give milliseconds, 0 or more.`)
  return async (run) => {
    const until = endOf(run, ms)
    const saved = run.durable()
    if (saved) await saved
    const left = until - run.host.now()
    if (left > 0) await sleep(run, { key: keyOf(run), ms: left })
    return undefined
  }
}

function keyOf(run: RunContext): string {
  const visit = visitOf(run)
  return visit ? `wait/${visit.key}/${visit.number}` : `wait/${run.state.seq}`
}

/** When the wait of this visit is over. Outside of a graph nothing is kept of it. */
function endOf(run: RunContext, ms: number): number {
  const visit = visitOf(run)
  const end = run.host.now() + ms
  if (!visit) return end
  const key = `wait/${ms}/${visit.key}`
  const noted: unknown = Object.hasOwn(run.state.notes, key) ? run.state.notes[key] : undefined
  const known = noted as { readonly visit: number; readonly until: number } | undefined
  if (known?.visit === visit.seq) return known.until
  run.emit({ type: 'noted', key, value: { visit: visit.seq, until: end } })
  return end
}
