import { afterEach, expect, it, vi } from 'vitest'
import { Page, pageRegistry } from './page.ts'
import { pageLeases } from './pageLeases.ts'

afterEach(() => vi.resetModules())

it('finds the pages that are connected after a hot reload of the module', async () => {
  const page = new Page({ tools: ['highlight'], models: ['small'], post() {}, shows: () => true })
  pageRegistry.addPage(page)
  vi.resetModules()

  const later = await import('./page.ts')
  const leases = await import('./pageLeases.ts')

  expect(later.Page).not.toBe(Page)
  expect(later.pageRegistry.findPage(later.hasTool('highlight', 'r'))).toBe(page)
  expect(later.pageRegistry.findModel('small')).toBe(page)
  expect(leases.pageLeases).toBe(pageLeases)
  pageRegistry.removePage(page)
})
