import { afterEach, expect, it, vi } from 'vitest'
import { localHost } from './host.ts'

afterEach(() => vi.unstubAllGlobals())

it('has new ids also in a page that came by HTTP from another machine', () => {
  const { crypto } = globalThis
  vi.stubGlobal('crypto', { getRandomValues: (array: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(array) })

  const ids = new Set(Array.from({ length: 1_000 }, () => localHost.newId()))

  expect(ids.size).toBe(1_000)
  for (const id of ids) expect(id).toMatch(/^\d+(-\d+){3}$/)
})
