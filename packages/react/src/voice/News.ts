/** Milliseconds for which a line stays. A reader may miss one that leaves at once. */
const stayMs = 10_000
/** A reader that is behind has more than enough with so many. */
const most = 100

/** The live regions of an outlet. A line is added to the one that is read at that moment, and leaves some time later. */
export class News {
  /** True while a modal dialog is open, outside of which nothing is read. */
  isInModal = false
  readonly #regions = new Map<boolean, HTMLElement>()

  /** Adds a line, which is said once. */
  add(words: string): void {
    const region = this.#regions.get(this.isInModal)
    if (!region) return
    const line = region.ownerDocument.createElement('p')
    line.textContent = words
    region.append(line)
    while (region.childElementCount > most) region.firstElementChild?.remove()
    setTimeout(() => line.remove(), stayMs)
  }

  /** Shows the lines in an element, until the function that it returns is called. */
  showIn(host: HTMLElement, isInModal: boolean): () => void {
    this.#regions.set(isInModal, regionIn(host))
    return () => void this.#regions.delete(isInModal)
  }
}

/** An element has one shadow tree for its life, also when it is shown again. */
const regions = new WeakMap<HTMLElement, HTMLElement>()

/** Returns the live region of an element, of which only screen readers know. */
export function regionIn(host: HTMLElement): HTMLElement {
  const known = regions.get(host)
  if (known) return known
  const region = host.ownerDocument.createElement('div')
  region.setAttribute('role', 'log')
  region.setAttribute('aria-live', 'polite')
  region.setAttribute('aria-relevant', 'additions')
  host.attachShadow({ mode: 'closed' }).append(region)
  regions.set(host, region)
  return region
}
