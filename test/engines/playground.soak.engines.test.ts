import { expect, inject, test } from 'vitest'
import { paidOnce } from '../e2e/trip.ts'
import type { EnginePage } from './driver/Engine.ts'
import { inEachEngine, untilAsked } from './stories/tell.ts'

/** Which of the things to try are ticked. */
const tried = (page: EnginePage): Promise<boolean[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-label="Things to try"] ol > li')].map(
      (step) => step.getAttribute('data-state') === 'done',
    ),
  )

inEachEngine((engine) => {
  test('the guided minute of the playground: answered in a second tab, changed, killed while it pays, replayed', async () => {
    const page = await engine().open(inject('app'))
    await page.click('button', /^Book a trip, 60 s/)
    await page.find('radio')
    const address = await page.evaluate(
      () => [...document.querySelectorAll('a')].find(({ textContent }) => /second tab/.test(textContent))?.href ?? '',
    )
    const other = await engine().open(address)
    await untilAsked(other, /.*/)
    await other.click('radio')
    await other.click('button', 'Reply')
    await page.front()
    await untilAsked(page, /^Book the train/)
    await page.click('button', /^Edit/)
    await page.click('spinbutton', /travellers/i)
    await page.press('Control+a')
    await page.type('2')
    // Before that, a click on Approve shows only what would be approved.
    await page.see('Your change makes it: Book the train from Paris (07:20) to Amsterdam (10:40) for 2 travellers')
    await page.click('button', /^Approve/)
    await page.see('asked 1 time')
    await page.click('button', /^Kill it/)
    // It takes over, at the pace of a page that is seen.
    await other.front()

    for (const tab of [page, other]) {
      await tab.until((source: string) => {
        const shown = [...document.querySelectorAll('*')].map(({ textContent }) => textContent?.trim() ?? '')
        return shown.some((text) => new RegExp(source).test(text))
      }, paidOnce.source)
      await tab.see('asked 2 times')
    }
    await page.front()
    await page.click('button', /^See the code/)
    await page.see('agent({')
    await page.click('button', /^Get a test/)
    await page.see(/Replayed \d+ events in \d+ ms: same trace\./)
    await page.press('Escape')
    await expect.poll(() => tried(other)).toEqual([true, true, true, true, true])
    expect(await page.problems()).toEqual([])
  })
})
