import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { killContent } from './contentProcess.ts'
import type { EnginePage, Name, PageProtocol, Point } from './Engine.ts'

/** For what hangs, not for a machine that is busy. */
const limitMs = 40_000

/** Runs in the page, as a script of the driver, which a page's policy does not concern. */
const loadTestingLibrary = new Function(
  readFileSync(
    createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
    'utf8',
  ),
) as () => void

/** Adds what a user does to what an engine's protocol can do. */
export function openPage(protocol: PageProtocol, browser: number): EnginePage {
  const until = async <T>(look: () => Promise<T>, isEnough: (seen: T) => boolean, what: string): Promise<T> => {
    const end = Date.now() + limitMs
    for (;;) {
      // A page that is being loaded has nothing to look at.
      const seen = await look().catch((error: Error) => error)
      if (!(seen instanceof Error) && isEnough(seen)) return seen
      if (Date.now() > end) {
        const text = await protocol.evaluate(shownText).catch(String)
        throw new Error(`Not within ${limitMs} ms: ${what}. Last: ${lastOf(seen)}\nThe page shows\n${text}`)
      }
      await pause(50)
    }
  }
  const locate = async (role: string, name: Name | undefined, isPoint: boolean): Promise<Point> => {
    const what = `${role} ${name ?? ''}`
    const seen = await until(
      () => locateIn(protocol, role, name, isPoint),
      (found) => typeof found === 'object',
      what,
    )
    return seen as Point
  }
  const press = async (keys: string): Promise<void> => {
    const all = keys === '+' ? [keys] : keys.split('+')
    for (const key of all) await protocol.keyDown(key)
    for (const key of all.reverse()) await protocol.keyUp(key)
  }
  return {
    ...protocol,
    click: async (role, name) => protocol.clickAt(await locate(role, name, true)),
    find: async (role, name) => void (await locate(role, name, false)),
    see: async (text) => {
      const isIn = (all: string) => (typeof text === 'string' ? all.includes(text) : text.test(all))
      await until(() => protocol.evaluate(shownText), isIn, `the text ${text}`)
    },
    until: async (isSo, ...args) =>
      void (await until(() => protocol.evaluate(isSo, ...args) as Promise<unknown>, Boolean, String(isSo))),
    async type(text) {
      for (const key of text) await press(key)
    },
    press,
    async reload() {
      await protocol.evaluate(() => void Object.assign(globalThis, { isOld: true }))
      await protocol.reload()
      const isNew = () => protocol.evaluate(() => !('isOld' in globalThis) && document.readyState === 'complete')
      await until(isNew, Boolean, 'a new document')
    },
    kill: () => killContent(protocol, browser),
  }
}

/** Runs in the page. */
function shownText(): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what cannot be seen does not count.
  return document.body.innerText
}

const lastOf = (seen: unknown): string => (seen instanceof Error ? seen.message : JSON.stringify(seen))

/** Gives the point to click, or why there is none yet. */
async function locateIn(
  page: PageProtocol,
  role: string,
  name: Name | undefined,
  isPoint: boolean,
): Promise<Point | string> {
  const { source, flags } = name instanceof RegExp ? name : { source: null, flags: '' }
  const wanted = typeof name === 'string' ? name : null
  const found = await page.evaluate(pointIn, role, wanted, source, flags, isPoint)
  if (found !== 'load') return found
  await page.evaluate(loadTestingLibrary)
  return 'the library is loaded'
}

type Queries = Pick<typeof import('@testing-library/dom'), 'queryAllByRole'>

/** Runs in the page. */
function pointIn(
  role: string,
  name: string | null,
  source: string | null,
  flags: string,
  isPoint: boolean,
): Point | string {
  const library = (globalThis as { TestingLibraryDom?: Queries }).TestingLibraryDom
  if (!library) return 'load'
  const wanted = source === null ? name : new RegExp(source, flags)
  const all = library.queryAllByRole(document.body, role, wanted === null ? {} : { name: wanted })
  let problem = 'none is there'
  for (const element of all) {
    if (!isPoint) return { x: 0, y: 0 }
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const hit = document.elementFromPoint(x, y)
    const label = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const isHit = hit && [element, ...label].some((each) => each.contains(hit))
    if (element.matches(':disabled')) problem = 'it is disabled'
    else if (!isHit) problem = `it is behind ${hit?.outerHTML.slice(0, 80)}`
    else return { x, y }
  }
  return problem
}
