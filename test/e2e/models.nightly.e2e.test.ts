import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()

const openModels = async (page: Page, way: RegExp): Promise<void> => {
  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: way }).check()
}

test('the browser says what it has built in, and the page says what to do', async () => {
  const { page, problems } = await openPlayground(context())
  const state = await page.evaluate(async () => {
    const found = (globalThis as { LanguageModel?: { availability(): Promise<string> } }).LanguageModel
    return found ? found.availability() : 'absent'
  })

  await openModels(page, /^Built into the browser/)
  await page.getByText(/has none on this device|has no built-in model/).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Use this model' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await page.getByRole('heading', { name: 'The built-in model cannot answer' }).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Change the model…' }).click()
  await page.getByRole('radio', { name: /^Demo planner/ }).check()
  await page.getByRole('button', { name: 'Use this model' }).click()
  await untilStatus(page, 'Done')

  expect(['absent', 'unavailable']).toContain(state)
  await expect.poll(() => answerIn(page)).toContain('12.675')
  // Chromium itself says in the console why it has none.
  expect(problems.filter((problem) => !/LanguageModel API|text session/.test(problem))).toEqual([])
})

test('a model that the browser has is downloaded, calls tools, and another one continues its run', async () => {
  const model = await standIn([{ text: 'It is still 12.675.' }])
  await context().addInitScript(defineLanguageModel)
  const { page, problems } = await openPlayground(context())

  await openModels(page, /^Built into the browser/)
  await page.getByRole('button', { name: 'Download the model' }).click()
  await page.getByText('Ready. It takes text, calls tools, and works offline.').waitFor()
  await page.getByRole('button', { name: 'Use this model' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  const first = await answerIn(page)
  await useStandIn(page, { url: model.url })
  await page.getByRole('textbox', { name: 'Message' }).fill('Are you sure?')
  await page.keyboard.press('Enter')
  await page.locator('.message-text', { hasText: 'It is still 12.675.' }).waitFor()
  await page.getByText('Continued with stand-in').waitFor()
  await audit(page)
  await model.close()

  expect(first).toContain('The result is 12.675')
  expect(await page.locator('.run-row').count()).toBe(1)
  expect(problems).toEqual([])
})

test('a key tells its provider and is tested at once; the verdict is in sight', async () => {
  const { page } = await openPlayground(context())
  await page.route('**/llm/models', (route) =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":{"message":"invalid x-api-key"}}' }),
  )

  await openModels(page, /^Your own key/)
  await page.getByLabel('Key', { exact: true }).fill('sk-ant-not-a-key-0123456789')
  const verdict = page.getByRole('heading', { name: 'Anthropic does not accept the key' })
  await verdict.waitFor()

  expect(await page.getByLabel('Provider', { exact: true }).inputValue()).toBe('anthropic')
  const box = await verdict.boundingBox()
  const foot = await page.locator('.model-form .dialog-foot').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(foot?.y ?? 0)
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await audit(page)
  }
})

test('a turn whose connection breaks is tried again', async () => {
  const model = await standIn([{ text: 'It is', isCutOff: true }, { text: 'It is 42.' }])
  const { page } = await openPlayground(context())
  await useStandIn(page, { url: model.url })

  await page.getByRole('textbox', { name: 'Message' }).fill('What is 6 times 7?')
  await page.keyboard.press('Enter')
  await page.locator('.message-text', { hasText: 'It is 42.' }).waitFor()
  await model.close()

  expect(model.received).toHaveLength(2)
})

test('another model is chosen while a turn is under way, and writes the next one', async () => {
  const [slow, other] = [
    await standIn([{ calls: [{ name: 'calculate', input: { expression: '6*7' } }] }]),
    await standIn([{ text: 'It is 42.' }]),
  ]
  const { page } = await openPlayground(context())
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('Calculator')
  await useStandIn(page, { url: slow.url, modelId: 'slow' })
  const held = new Promise<() => void>((resolve) => {
    void page.route('**/llm/chat/completions', (route) => resolve(() => void route.continue()), { times: 1 })
  })
  await page.getByRole('textbox', { name: 'Message' }).fill('What is 6 times 7?')
  await page.keyboard.press('Enter')
  const release = await held
  await useStandIn(page, { url: other.url, modelId: 'other' })
  release()
  await page.locator('.message-text', { hasText: 'It is 42.' }).waitFor()
  await page.getByText('Continued with other').waitFor()
  await slow.close()
  await other.close()

  expect([slow.received.length, other.received.length]).toEqual([1, 1])
})

test('a part of the page that cannot be loaded is said where it is seen, with what helps', async () => {
  const { page } = await openPlayground(context())
  await page.route(/assets\/openConversation/, (route) => route.abort())

  await clickPrompt(page, 'What is 15% of 84.50?')
  const card = page.getByRole('heading', { name: 'A part of the page could not be loaded' })
  await card.waitFor()

  expect(await page.getByText('demo planner, which needs nothing').count()).toBe(0)
  await page.getByRole('button', { name: 'Load the page again' }).waitFor()
})

/** Runs in the page: a Prompt API in the shape of Chrome 148, with answers of its own. */
function defineLanguageModel(): void {
  let state = 'downloadable'
  const answers = [
    { text: '', calls: [{ tool: 'calculate', input: { expression: '0.15 * 84.5' } }] },
    { text: 'The result is 12.675.', calls: [] },
  ]
  let asked = 0
  const session = {
    contextUsage: 100,
    contextWindow: 9_000,
    measureContextUsage: async () => 10,
    promptStreaming(_: string, options: { responseConstraint?: object }) {
      if (!options.responseConstraint) throw new TypeError('There is no constraint.')
      const answer = JSON.stringify(answers[Math.min(asked++, answers.length - 1)])
      return new ReadableStream({
        start(controller) {
          for (const chunk of answer.match(/.{1,7}/g) ?? []) controller.enqueue(chunk)
          controller.close()
        },
      })
    },
    destroy() {},
  }
  const value = {
    availability: async () => state,
    async create({ monitor }: { monitor?: (target: EventTarget) => void }) {
      if (state !== 'available' && !navigator.userActivation.isActive)
        throw new DOMException('A click is needed.', 'NotAllowedError')
      const target = new EventTarget()
      monitor?.(target)
      target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: 1 }))
      state = 'available'
      return session
    },
  }
  Object.defineProperty(globalThis, 'LanguageModel', { configurable: true, value })
}
