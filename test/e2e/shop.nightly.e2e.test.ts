import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, runIn, untilStatus } from './openPlayground.ts'

const context = useContext()

/** The orders that the shop's MCP server has booked for this customer. */
async function ordersOf(name: string, url: string): Promise<unknown[]> {
  const response = await fetch(new URL('/mcp/ledger', url))
  const { orders } = (await response.json()) as { orders: { name: string }[] }
  return orders.filter((order) => order.name === name)
}

/** Returns true if the middle of an element is neither covered nor scrolled away. */
function isInSight(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

const customer = (): string => `Ada ${Math.random()}`

test('what an MCP server asks survives a reload, is answered in another tab, and buys once', async () => {
  const { page, problems } = await openPlayground(context())
  const name = customer()

  await clickPrompt(page, 'Buy 2 mugs')
  const dialog = page.getByRole('dialog', { name: 'Who is the order for, and how should it arrive?' })
  await dialog.getByText(/Asked by shop at 127\.0\.0\.1:\d+, for shopper/).waitFor()
  await page.reload()
  await dialog.getByRole('textbox', { name: /Name/ }).fill(name)
  await audit(page)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('dialog', { name: /2 × Enamel mug/ }).waitFor()
  const { page: other, problems: othersProblems } = await openPlayground(context())
  await other.goto(page.url())
  await other
    .getByRole('dialog', { name: /2 × Enamel mug/ })
    .getByRole('button', { name: 'Yes' })
    .click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('Order')
  await page.reload()
  await untilStatus(page, 'Done')
  expect(await ordersOf(name, page.url())).toMatchObject([{ item: 'mug', quantity: 2, total: 24 }])
  expect([...problems, ...othersProblems]).toEqual([])
})

test.each(['Server', 'Worker'])('an agent that runs in “%s” uses the MCP server too', async (host) => {
  const { page, problems } = await openPlayground(context())
  const name = customer()

  await runIn(page, host)
  await clickPrompt(page, 'Buy 2 mugs')
  await page.getByRole('textbox', { name: /Name/ }).fill(name)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('Order')
  expect(problems).toEqual([])
})

test('an app of the MCP server orders what the user approves, once, over a reload and by the keyboard alone', async () => {
  // The sandbox page has its own time to answer.
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  const app = page.frameLocator('iframe[title="App: Kitchen shelf"]').frameLocator('iframe')
  const approve = page.getByRole('button', { name: 'Approve' })

  await page.getByRole('button', { name: 'Open the shelf', exact: true }).press('Enter')
  for (const _ of [1, 2]) await app.getByRole('button', { name: 'One more: Enamel mug' }).press('Enter')
  await audit(page)
  await app.getByRole('button', { name: 'Order for €24' }).press('Enter')
  await page.getByRole('dialog', { name: 'Allow orderFromShelf?' }).waitFor()
  await page.reload()
  await approve.waitFor()
  // A press is ignored that comes before a question could be read.
  await expect
    .poll(async () => {
      await approve.press('Enter', { timeout: 1_000 }).catch(() => {})
      return approve.count()
    })
    .toBe(0)
  expect(await answerIn(page)).toContain('The shelf is open above.')
  const shelf =
    (await page
      .getByText(/^[\da-f]{8}$/)
      .first()
      .textContent()) ?? ''
  const orders = [{ item: 'mug', quantity: 2, total: 24 }]
  await expect.poll(() => ordersOf(shelf, page.url())).toMatchObject(orders)
  // The shelf of this page did not ask for the order, and learns of it.
  await app.getByText('Order 1').getByText('is placed: €24.').waitFor()
  await page.setViewportSize({ width: 360, height: 760 })
  await page.reload()

  await app.getByText('Order 1').getByText('is placed: €24.').waitFor()
  await audit(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await ordersOf(shelf, page.url())).toMatchObject(orders)
  // axe looks for itself in the frame, which has another origin.
  const ofAxe = `target origin provided ('${new URL(page.url()).origin}')`
  expect(problems.filter((problem) => !problem.includes(ofAxe))).toEqual([])
})

test('a page whose server has no shop says so before a run starts', async () => {
  const { page } = await openPlayground(context())
  // A static server responds with the page.
  await page.route('**/mcp/**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))

  await clickPrompt(page, 'Buy 2 mugs')

  const words = page.getByRole('alert').getByText(/There is no shop here: .* Run the playground with/)
  await words.waitFor()
  await expect.poll(() => words.evaluate(isInSight)).toBe(true)
  await audit(page)
  expect(await page.getByText('No runs yet').count()).toBe(1)
})
