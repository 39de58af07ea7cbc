// Runs in the page, before each test: finds elements there, and tells the driver only where to click.
import {
  getByAltTextSelector,
  getByLabelSelector,
  getByPlaceholderSelector,
  getByRoleSelector,
  getByTestIdSelector,
  getByTextSelector,
  getByTitleSelector,
  getIframeScale,
  Locator,
  selectorEngine,
  triggerCommandWithTrace,
} from '@vitest/browser/locators'
import { page, server } from 'vitest/browser'
import type { Point } from '../driver/Engine.ts'

/** Less than the time of a test, so that the message is of the locator. */
const limitMs = 20_000

class EngineLocator extends Locator {
  readonly selector: string

  constructor(selector: string, container?: Element) {
    super()
    this.selector = selector
    if (container) this._container = container
  }

  override async click({ force = false }: { readonly force?: boolean } = {}): Promise<void> {
    await triggerCommandWithTrace({ name: '__vitest_click', arguments: [await pointOf(this, force)] })
  }

  override async fill(text: string): Promise<void> {
    const element = await this.findElement()
    element.focus()
    if ('select' in element && typeof element.select === 'function') element.select()
    document.execCommand(text ? 'insertText' : 'delete', false, text)
  }

  override clear(): Promise<void> {
    return this.fill('')
  }

  override async upload(files: string | string[] | File | File[]): Promise<void> {
    const chosen = new DataTransfer()
    for (const file of [files].flat()) if (file instanceof File) chosen.items.add(file)
    const input = (await this.findElement()) as HTMLInputElement
    input.files = chosen.files
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
  }

  protected override locator(selector: string): Locator {
    return new EngineLocator(`${this.selector} >> ${selector}`, this._container)
  }

  protected override elementLocator(element: Element): Locator {
    return new EngineLocator(selectorEngine.generateSelectorSimple(element), element)
  }
}

/** Waits until a click would hit the element, or until it is there at all. Gives the middle of it in the browser's page. */
async function pointOf(locator: Locator, isForced: boolean): Promise<Point> {
  const end = Date.now() + limitMs
  for (;;) {
    const element = await locator.findElement({ timeout: limitMs })
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const before = element.getBoundingClientRect()
    // WebKit scrolls in another process, which knows of it when it has drawn.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const isStill = before.left === left && before.top === top && width > 0
    const hit = document.elementFromPoint(x, y)
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const isHit = [element, ...labels].some((each) => each.contains(hit))
    if (isForced || (isStill && isHit && !element.matches(':disabled'))) return inBrowser(x, y)
    if (Date.now() > end) throw new Error(`${locator} cannot be clicked: ${hit?.outerHTML.slice(0, 200)} is there.`)
  }
}

function inBrowser(x: number, y: number): Point {
  const frame = window.frameElement?.getBoundingClientRect()
  const scale = getIframeScale()
  return { x: (frame?.left ?? 0) + x * scale, y: (frame?.top ?? 0) + y * scale }
}

page.extend({
  getByLabelText: (...args) => new EngineLocator(getByLabelSelector(...args)),
  getByRole: (...args) => new EngineLocator(getByRoleSelector(...args)),
  getByTestId: (id) => new EngineLocator(getByTestIdSelector(server.config.browser.locators.testIdAttribute, id)),
  getByAltText: (...args) => new EngineLocator(getByAltTextSelector(...args)),
  getByPlaceholder: (...args) => new EngineLocator(getByPlaceholderSelector(...args)),
  getByText: (...args) => new EngineLocator(getByTextSelector(...args)),
  getByTitle: (...args) => new EngineLocator(getByTitleSelector(...args)),
  elementLocator: (element) => new EngineLocator(selectorEngine.generateSelectorSimple(element), element),
})
