import { expect, test } from 'vitest'
import {
  addressOf,
  expectDone,
  expectLogged,
  inEachEngine,
  namesIn,
  say,
  tabIn,
  untilAsked,
  useWorld,
} from './stories/tell.ts'

const message = 'sure, pick, name, fill, wire'

inEachEngine((engine) => {
  test('each kind of question is put off, reopened and answered by keys alone', async () => {
    const world = await useWorld()
    const page = await engine().open(addressOf(world, 'page'))
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name)

    await say(page, message)
    await untilAsked(page, 'Delete the trip?')
    await page.press('Escape')
    await page.until(() => document.querySelector('dialog[open]') === null)
    expect(await focused()).toBe('message')
    await page.press('Control+.')
    await untilAsked(page, 'Delete the trip?')
    await tabIn(page, /^Keep/)
    await page.press('Enter')
    await untilAsked(page, 'Which train?')
    await page.press('2')
    await page.press('Enter')
    await untilAsked(page, 'Your name?')
    await page.type('Ada')
    await page.press('Enter')
    await untilAsked(page, 'Your trip')
    await tabIn(page, /city/i)
    await page.type('Rome')
    await page.press('Enter')
    await untilAsked(page, /wire/i)
    await tabIn(page, /^Approve/)
    await page.press('Enter')

    await expectDone(page, message)
    await expectLogged(page)
    expect(namesIn(world.ledger)).toEqual(['wire'])
    expect(await focused()).toBe('message')
    expect(await page.problems()).toEqual([])
  })
})
