import { expect, it } from 'vitest'
import { createPlayground } from '../run/createPlayground.ts'
import { reportUnfetched } from './reportUnfetched.ts'

it.each([
  ['Failed to fetch dynamically imported module: /assets/killActions-x.js', 1],
  ['The disk is full.', 0],
])('reports an action that no part of the page came for: %s', (message, times) => {
  const playground = createPlayground()
  const end = reportUnfetched(playground)

  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new TypeError(message) }))
  end()

  const { notices } = playground.store.getState()
  expect(notices.filter(({ words }) => words.includes('could not be fetched'))).toHaveLength(times)
})
