import { linkedSection } from '../docs/sectionLink.ts'
import type { Playground } from './Playground.ts'
import { linkedRun, runLink } from './runLink.ts'

/** Keeps the run that is shown in the address, so that a reload, the way back, a link and another tab lead to it. */
export function followAddress({ store, show }: Playground): () => void {
  const go = (): void => {
    const linked = linkedRun(location.hash)
    // A section of the documentation opens over whatever is shown.
    if (linkedSection(location.hash) === undefined && linked !== store.getState().shown) void show(linked)
  }
  go()
  addEventListener('hashchange', go)
  const leave = store.subscribe(({ shown }, before) => {
    if (shown === before.shown || shown === linkedRun(location.hash)) return
    history.pushState(null, '', shown === undefined ? location.pathname + location.search : runLink(shown))
  })
  return () => {
    removeEventListener('hashchange', go)
    leave()
  }
}
