import { linkedTool } from '../bench/toolLink.ts'
import { linkedSection } from '../docs/sectionLink.ts'
import { type Address, linkTo, readAddress } from './address.ts'
import type { Playground } from './Playground.ts'
import type { PlaygroundState } from './PlaygroundState.ts'
import { shownAddress } from './useLinked.ts'

/** Browsers reject more than a few address changes a second, as time travel would cause. */
const settleMs = 300

/** Keeps the view in the address, so that a reload, Back, a link and another tab lead to it. */
export function followAddress(playground: Playground): () => void {
  const { store } = playground
  let isGoing = false
  const go = (): void => {
    const address = readAddress(location.hash)
    // A section of the documentation and the bench of tools open over whatever is shown.
    if (linkedSection(location.hash) !== undefined || linkedTool(location.hash) || isShown(address, store.getState()))
      return
    isGoing = true
    goTo(playground, address)
    isGoing = false
  }
  go()
  addEventListener('hashchange', go)

  let settling: ReturnType<typeof setTimeout> | undefined
  const write = (way: 'pushState' | 'replaceState', state: PlaygroundState): void => {
    clearTimeout(settling)
    settling = undefined
    if (isShown(readAddress(location.hash), state)) return
    history[way](null, '', linkTo(shownAddress(state)) || location.pathname + location.search)
  }
  const leave = store.subscribe((state, before) => {
    if (isGoing || linkTo(shownAddress(state)) === linkTo(shownAddress(before))) return
    if (isStep(state, before)) {
      // Back leads to the latest view, even if it is not in the address yet.
      if (settling !== undefined) write('replaceState', before)
      return write('pushState', state)
    }
    clearTimeout(settling)
    settling = setTimeout(() => write('replaceState', store.getState()), settleMs)
  })
  return () => {
    clearTimeout(settling)
    removeEventListener('hashchange', go)
    leave()
  }
}

const isShown = (address: Address, state: PlaygroundState): boolean => linkTo(address) === linkTo(shownAddress(state))

/** Returns true if the step gets an entry in the browser's history: another run, or the start or end of time travel. */
const isStep = (state: PlaygroundState, before: PlaygroundState): boolean =>
  state.shown !== before.shown ||
  state.compared !== before.compared ||
  (state.travelledTo === undefined) !== (before.travelledTo === undefined)

function goTo({ store, show, selectEvent, travel, compare }: Playground, address: Address): void {
  if (address.type === 'comparison') {
    compare({ a: address.a, b: address.b })
    return
  }
  const runId = address.type === 'run' ? address.runId : undefined
  const { shown, compared } = store.getState()
  if (runId === undefined || runId !== shown || compared) void show(runId)
  if (address.type !== 'run') return
  selectEvent(address.event)
  travel(address.at)
}
