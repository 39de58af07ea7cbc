import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { scriptPayloads } from './scriptPayloads.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()

test('row 4: no script runs, wherever it is written, and the policy of the page has nothing to forbid', async () => {
  const all = scriptPayloads.join('\n\n')
  const options = [...new Set(scriptPayloads)]
  const model = await standIn([
    {
      text: all,
      reasoning: all,
      calls: [
        { name: 'calculate', input: { expression: all } },
        { name: 'no<img src=x onerror=__xss=1>', input: {} },
        { name: 'askUser', input: { question: all, kind: 'choice', options } },
      ],
    },
    { text: all },
    { error: all },
  ])
  const { page, problems } = await openPlayground(context())
  await useStandIn(page, { url: model.url, modelId: scriptPayloads[0] ?? '' })

  await page.getByLabel('Message').fill(all)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').last().check()
  const labels = await dialog.getByRole('radio').count()
  await dialog.getByRole('button', { name: 'Reply' }).click()
  await untilStatus(page, 'Done')
  for (const tab of await page.locator('[data-pane="details"] [role=tab]').all()) {
    await tab.click()
    for (const part of (await page.locator('[data-pane="details"] :is(summary, .event-row)').all()).slice(0, 12))
      await part.click()
  }
  await page.getByLabel('Message').fill('Again')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Failed')
  const executed = await page.evaluate(() => (globalThis as { __xss?: unknown }).__xss)
  await model.close()

  expect(options.length).toBeGreaterThanOrEqual(200)
  expect(labels).toBe(options.length)
  expect(executed).toBeUndefined()
  expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
})

test('row 4: nor by the name of a file', async () => {
  const { page, problems } = await openPlayground(context())
  await page.getByRole('button', { name: 'Describe the columns of my file' }).click()

  for (const payload of [
    '<img src=x onerror=__xss=1>.csv',
    '"><svg onload=__xss=1>.csv',
    'a\u202evsc.exe',
    'javascript:__xss=1.csv',
  ])
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({
        name: payload,
        mimeType: 'text/csv',
        buffer: Buffer.from('a,b\n1,<img src=x onerror=__xss=1>\n'),
      })
  await page.getByRole('button', { name: 'Reply' }).click()
  await untilStatus(page, 'Done')

  expect(await page.evaluate(() => (globalThis as { __xss?: unknown }).__xss)).toBeUndefined()
  expect(problems).toEqual([])
})
