import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPlayground } from './createPlayground.ts'
import { followAddress } from './followAddress.ts'

let leave = () => {}
beforeEach(() => history.replaceState(null, '', '#'))
afterEach(() => leave())

function follow() {
  const playground = createPlayground()
  leave = followAddress(playground)
  return playground
}
const goTo = (hash: string): void => {
  history.replaceState(null, '', hash)
  dispatchEvent(new Event('hashchange'))
}

it('shows what the address names, also an event of a run and its past', () => {
  const { store } = follow()

  goTo('#/runs/a/events/3')
  expect(store.getState()).toMatchObject({ shown: 'a', selectedEvent: 3, travelledTo: undefined })
  goTo('#/runs/a/at/2')
  expect(store.getState()).toMatchObject({ shown: 'a', selectedEvent: undefined, travelledTo: 2 })
  goTo('#/compare/a/b')
  expect(store.getState()).toMatchObject({ shown: undefined, travelledTo: undefined, compared: { a: 'a', b: 'b' } })
  goTo('#')
  expect(store.getState()).toMatchObject({ shown: undefined, compared: undefined })
})

it('makes one step of the way back of a journey in time, however many places it has', async () => {
  const { show, travel } = follow()
  await show('a')
  const steps = history.length

  travel(1)
  // happy-dom tells of pushes, which browsers do not.
  await new Promise((resolve) => setTimeout(resolve))
  travel(2)
  travel(3)
  await expect.poll(() => location.hash).toBe('#/runs/a/at/3')
  expect(history.length).toBe(steps + 1)
  travel(undefined)
  expect(location.hash).toBe('#/runs/a')
})

it('leads back to where a journey ended that was left a moment ago', async () => {
  const { show, travel } = follow()
  await show('a')
  travel(1)
  await new Promise((resolve) => setTimeout(resolve))
  const replace = vi.spyOn(history, 'replaceState')

  travel(3)
  travel(undefined)

  expect(replace.mock.calls.map(([, , address]) => address)).toEqual(['#/runs/a/at/3'])
  expect(location.hash).toBe('#/runs/a')
  replace.mockRestore()
})

it('forgets what was looked at when another run is shown', async () => {
  const { store, show, selectEvent, travel } = follow()
  await show('a')
  selectEvent(3)
  travel(2)

  await show('b')

  expect(store.getState()).toMatchObject({ shown: 'b', selectedEvent: undefined, travelledTo: undefined })
  expect(location.hash).toBe('#/runs/b')
})
