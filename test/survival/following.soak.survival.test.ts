import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { crash } from './killPage.ts'
import { isReady, openTabs, type Tabs } from './openTabs.ts'
import { useShop } from './useShop.ts'

const equipped = useShop()
let context: BrowserContext
beforeAll(async () => {
  context = await equipped().start().connect()
})

/** The tabs of a run whose model writes what it is told to. */
async function openStory(): Promise<{ readonly tabs: Tabs; readonly teller: Page; open(): Promise<Page> }> {
  const { ledger, url } = equipped().shop.open()
  const tabs = openTabs({ context, ledger, url: `${url}tab?kind=tells` })
  const open = async (): Promise<Page> => {
    const { page } = await tabs.open()
    await isReady(page)
    // The page has it only if it was not reloaded.
    await page.evaluate(() => addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { persisted })))
    return page
  }
  const teller = await open()
  await teller.waitForFunction(() => globalThis.story, undefined, { polling: 20 })
  return { tabs, teller, open }
}

const write = (page: Page, text: string): Promise<void> => page.evaluate((delta) => globalThis.story.write(delta), text)
const end = (page: Page): Promise<void> => page.evaluate(() => globalThis.story.end())
const ownerOf = (page: Page) => page.evaluate(() => globalThis.tab.run.owner)
const textOf = (page: Page) => expect.poll(() => page.evaluate(() => globalThis.tab.text))
const signalOf = (page: Page) => expect.poll(() => page.evaluate(() => globalThis.tab.run.state.signal))

test('what streams in one tab is shown in the others, also in one that comes in the middle', async () => {
  const { tabs, teller, open } = await openStory()
  await write(teller, 'Once')
  const second = await open()
  await textOf(second).toBe('Once')
  await write(teller, ' upon')
  const third = await open()
  await write(teller, ' a time')

  for (const page of [teller, second, third]) await textOf(page).toBe('Once upon a time')
  await end(teller)
  for (const page of [teller, second, third]) await signalOf(page).toMatchObject({ output: 'Once upon a time' })
  await tabs.close()
})

test('a run is spoken to and stopped in a tab that it does not work in', async () => {
  const { tabs, teller, open } = await openStory()
  const second = await open()

  const saying = second.evaluate(() => globalThis.tab.run.say('And then?'))
  await saying
  await write(teller, 'Wait.')
  await end(teller)
  await textOf(second).toBe('')
  await write(teller, 'They lived')
  await textOf(second).toBe('They lived')
  await second.evaluate(() => globalThis.tab.run.stop('Enough.'))

  for (const page of [teller, second]) await signalOf(page).toEqual({ type: 'stopped', reason: 'Enough.' })
  await tabs.close()
})

test('a tab that goes to another page and back shows what it missed, and is the next one', async () => {
  const { teller, open } = await openStory()
  await write(teller, 'Mean')
  const second = await open()
  await textOf(second).toBe('Mean')
  await second.goto(second.url().replace('/tab', '/worker.js'))
  await write(teller, 'while')
  await second.goBack({ waitUntil: 'commit' })
  await isReady(second)
  expect(await second.evaluate(() => 'persisted' in globalThis)).toBe(true)

  await textOf(second).toBe('Meanwhile')
  await write(teller, ', here')
  await textOf(second).toBe('Meanwhile, here')
  await teller.close()
  await expect.poll(() => second.evaluate(() => globalThis.tab.run.owner)).toBe('here')
  await second.close()
})

test.each(['the owner', 'the next one'] as const)(
  'of three tabs %s goes to another page, and another one has the run',
  async (which) => {
    const { tabs, teller, open } = await openStory()
    const second = await open()
    const third = await open()
    const away = which === 'the owner' ? teller : second

    await away.goto(away.url().replace('/tab', '/worker.js'))
    if (which === 'the next one') await teller.close()
    await tabs.until(() => tabs.all.some(({ owner, page }) => owner === 'here' && page !== teller))
    await away.goBack({ waitUntil: 'commit' })

    await isReady(away)
    expect(await away.evaluate(() => 'persisted' in globalThis)).toBe(true)
    for (const page of [away, third])
      await expect.poll(() => ownerOf(page)).toBe(page === third && away === second ? 'here' : 'elsewhere')
    await tabs.close()
  },
)

const draftedIn = (page: Page) => page.evaluate(() => globalThis.tab.run.state.drafted?.text)
/** Tells a page that it is in the background, since its window stays where it is. */
function hide(): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}

test('what a tab had of a short turn when it crashed is kept, and the turn asked for again', async () => {
  const { tabs, teller, open } = await openStory()
  const next = await open()
  await write(teller, 'Once upon a time')

  await teller.evaluate(hide)
  await expect.poll(() => draftedIn(next)).toBe('Once upon a time')
  const writeOn = async () => {
    await write(teller, ' and on')
    return draftedIn(next)
  }
  await expect.poll(writeOn, { interval: 100 }).toContain('and on')
  const kept = await draftedIn(next)
  await crash(teller)
  await next.waitForFunction(() => globalThis.story, undefined, { polling: 20 })
  await write(next, 'The end.')
  await end(next)

  await signalOf(next).toMatchObject({ output: 'The end.' })
  const [first] = await next.evaluate(() =>
    globalThis.tab.run.state.history.flat().filter(({ type }) => type === 'turn'),
  )
  expect(first).toMatchObject({ parts: [{ type: 'text', text: kept }], error: { code: 'interrupted' } })
  await tabs.close()
})
