import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Expects that axe finds nothing on a page. In the dark only the colors are different. */
export async function audit(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await axe(page).withTags(tags).analyze()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await axe(page).withRules('color-contrast').analyze()

  const found = [...light.violations, ...dark.violations]
  expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** The other mode opens a page of its own for each report, to put frames together; there are none here. */
const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
