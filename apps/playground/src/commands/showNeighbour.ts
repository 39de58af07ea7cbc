import { readAddress } from '../run/address.ts'
import type { Playground } from '../run/Playground.ts'

/** Shows the run below or above the one that is shown, as the list has them. */
export function showNeighbour({ store, show }: Playground, step: 1 | -1): void {
  const listed = [...document.querySelectorAll<HTMLAnchorElement>('.run-link')].map(({ hash }) => readAddress(hash))
  const ids = listed.flatMap((address) => (address.type === 'run' ? [address.runId] : []))
  const at = ids.indexOf(store.getState().shown ?? '')
  const next = at === -1 ? ids.at(step === 1 ? 0 : -1) : ids[at + step]
  if (next !== undefined) void show(next)
}
