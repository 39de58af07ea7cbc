import path from 'node:path'
import { defineBrowserProvider, parseKeyDef } from '@vitest/browser'
import type { BrowserCommand, BrowserProvider, BrowserProviderOption, TestProject } from 'vitest/node'
import type { Engine, EngineName, EnginePage, Point } from '../driver/Engine.ts'
import { openEngine } from '../driver/openEngine.ts'

/** The keys that are held down from one call to the next. */
interface Held {
  readonly unreleased: readonly string[]
}

/** The commands of vitest's own locators and events that tests use here. */
const commands: Readonly<Record<string, (page: EnginePage, ...args: never[]) => Promise<unknown>>> = {
  __vitest_click: (page, point: Point) => page.clickAt(point),
  __vitest_keyboard: pressKeys,
  async __vitest_type(page, { selector }: { readonly selector: string }, text: string, held: Partial<Held>) {
    await page.evaluate(focusElement, selector)
    return pressKeys(page, text, { unreleased: held.unreleased ?? [] })
  },
  async __vitest_cleanup(page, { unreleased }: Held) {
    for (const key of unreleased) await page.keyUp(key)
  },
  // The frame of the test has this size already, in a window that is larger.
  async __vitest_viewport() {},
}

/** Runs tests of vitest's browser mode in a browser of this machine, by the driver of the stories. */
class EngineProvider implements BrowserProvider {
  readonly name = 'engines'
  readonly supportsParallelism = false
  readonly initScripts = [path.join(import.meta.dirname, 'locators.ts')]
  readonly #engine: EngineName
  readonly #pages = new Map<string, EnginePage>()
  #opening: Promise<Engine> | undefined

  constructor(project: TestProject, engine: EngineName) {
    this.#engine = engine
    for (const [name, command] of Object.entries(commands)) {
      const inPage: BrowserCommand<never[]> = ({ sessionId }, ...args) => command(this.#page(sessionId), ...args)
      project.browser?.registerCommand(name as never, inPage as never)
    }
  }

  getCommandsContext(): Record<string, unknown> {
    return {}
  }

  async openPage(session: string, url: string): Promise<void> {
    this.#opening ??= openEngine(this.#engine)
    const old = this.#pages.get(session)
    if (old) return old.goto(url)
    this.#pages.set(session, await (await this.#opening).open(url))
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close()
  }

  #page(session: string): EnginePage {
    const page = this.#pages.get(session)
    if (!page) throw new Error(`The session ${session} has no page.`)
    return page
  }
}

/** Presses keys as `userEvent.keyboard` describes them, in the frame of the test. */
async function pressKeys(page: EnginePage, text: string, { unreleased }: Held): Promise<Held> {
  await page.evaluate(focusFrame)
  const held = new Set(unreleased)
  const release = async (key: string): Promise<void> => {
    held.delete(key)
    await page.keyUp(key)
  }
  for (const { keyDef, releasePrevious, releaseSelf, repeat } of parseKeyDef(text)) {
    const { key = '' } = keyDef
    if (held.has(key)) await release(key)
    if (releasePrevious) continue
    held.add(key)
    for (let i = 0; i < repeat; i++) await page.keyDown(key)
    if (releaseSelf) await release(key)
  }
  return { unreleased: [...held] }
}

/** Runs in the page around the frame. */
function focusFrame(): void {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[data-vitest]')
  if (document.activeElement !== frame) frame?.contentWindow?.focus()
}

/** Runs in the page around the frame. */
function focusElement(selector: string): void {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[data-vitest]')
  frame?.contentDocument?.querySelector<HTMLElement>(selector)?.focus()
}

/** A provider of vitest's browser mode for one engine. */
export const engineProvider = (name: EngineName): BrowserProviderOption =>
  defineBrowserProvider({
    name: 'engines',
    supportedBrowser: [name],
    providerFactory: (project) => new EngineProvider(project, name),
  })
