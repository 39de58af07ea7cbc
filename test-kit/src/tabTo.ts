import { eventually } from './eventually.ts'
import { until } from './until.ts'

/** The page of a browser, as Playwright has it. */
interface KeyedPage {
  readonly keyboard: { press(key: string): Promise<void> }
  frames(): readonly { evaluate(look: () => Focused | undefined): Promise<Focused | undefined> }[]
}

interface Focused {
  readonly text: string
  /** False until the focus has left the element that had it when the last key was pressed. */
  readonly isNew: boolean
}

/** Presses a key until the focus is on what has this name, in whatever frame. After each key it waits until the focus has moved. */
export async function tabTo(page: KeyedPage, name: string | RegExp, key = 'Tab'): Promise<void> {
  const isThere = ({ text }: Focused): boolean => (typeof name === 'string' ? text === name : name.test(text))
  for (let presses = 0, now = await focusIn(page); !isThere(now); presses++) {
    if (presses === 60) throw new Error(`No way to "${name}" by ${key}`)
    const { text } = now
    await page.keyboard.press(key)
    now = await eventually(async () => {
      const next = await focusIn(page)
      if (!next.isNew) throw new Error(`${key} leaves the focus at "${text}"`)
      return next
    })
  }
}

/** Returns what has the focus once it has arrived: on its way into a frame of another process, nothing has it. */
const focusIn = (page: KeyedPage): Promise<Focused> =>
  eventually(async () => {
    const looks = page.frames().map((frame) => frame.evaluate(focused).catch(() => undefined))
    const found = (await Promise.all(looks)).find((each) => each !== undefined)
    if (!found) throw new Error('Nothing has the focus')
    return found
  })

/** Runs in each frame: returns what has the focus there, and remembers it for the next look. */
function focused(): Focused | undefined {
  const seen = window as { lastFocused?: Element | null }
  const { activeElement: now, body } = document
  const isTop = window === window.top
  // In a frame of another process the focus is at the body only on its way. A page may have lost it to another page.
  const isOnItsWay = now === body && !isTop && window.frameElement === null
  const isHere = now?.tagName !== 'IFRAME' && !isOnItsWay && (isTop || document.hasFocus())
  const isNew = now !== seen.lastFocused
  seen.lastFocused = isHere ? now : null
  if (!isHere) return undefined
  const fields = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement]
  const isField = fields.some((Field) => now instanceof Field)
  const named = (isField && (now as HTMLInputElement).labels?.[0]) || now
  return { isNew, text: now === body ? '' : (named?.textContent ?? '').trim() }
}

/** Waits until a dialog that has just appeared takes Enter on a button: before, it may be meant for what was there. */
export const untilTakesKeys = (page: { evaluate(isOpen: () => boolean): Promise<boolean> }): Promise<void> =>
  until(() => page.evaluate(() => document.querySelector('dialog[open]:not([data-opening])') !== null))
