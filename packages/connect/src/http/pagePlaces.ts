import { openChannel, quietly } from '@interleave/core/internal'

/**
 * Places for event streams. A browser opens six connections to a server over HTTP/1.1, for all tabs together, and a
 * stream occupies one of them for as long as it is open.
 */
export interface Places {
  /** True in a page, where streams are few: none is kept open for a settled run, or for a page that is hidden. */
  readonly areFew: boolean
  readonly isHidden: boolean
  /** The time until which no stream is opened, since a proxy holds streams back. */
  heldUntil: number
  /** Takes a place. Returns the function that gives it back; undefined if all are taken. */
  takePlace(): Promise<(() => void) | undefined>
  /**
   * Calls back when the page is shown or hidden, and when any page of the origin has more of the run, or of any run.
   * Returns an unsubscriber.
   */
  watch(runId: string | typeof anyRun, watcher: Watcher): () => void
  /** Tells all pages of the origin how many events the run has. */
  tellLength(runId: string, length: number): void
}

/** Stands for all runs. */
export const anyRun: unique symbol = Symbol('any run')

export interface Watcher {
  onShown(): void
  onHidden?(): void
  /** Called when the page has to close its stream: another page wants one, and nothing can count them. */
  onCrowded?(): void
  onLength(length: number): void
}

/** Where streams are many, such as in Node. */
export const manyPlaces = (): Places => ({
  areFew: false,
  isHidden: false,
  heldUntil: 0,
  takePlace: async () => () => {},
  watch: () => () => {},
  tellLength() {},
})

/** The number of streams of all tabs of an origin to one server. The other connections are for requests. */
const most = 2

/** Without locks: the number of times that a page takes no stream after another has wanted one. */
const crowdedTimes = 10

interface PageDocument extends EventTarget {
  readonly visibilityState: string
  readonly baseURI: string
}

/** The part of `LockManager` that is used. */
interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    work: (lock: object | null) => unknown,
  ): Promise<unknown>
}

/** The part of a browser that a test replaces. */
export interface PageScope extends Pick<EventTarget, 'addEventListener'> {
  readonly document?: PageDocument
  readonly navigator?: { readonly locks?: Locks }
}

/** Returns places for streams to a server: few in a page of a browser, and many in any other program. */
export function placesFor(url: string, scope: PageScope = globalThis as PageScope): Places {
  const { document } = scope
  if (!document?.baseURI || !URL.canParse(url, document.baseURI)) return manyPlaces()
  const server = new URL(url, document.baseURI).origin
  const known = scope === globalThis ? ofThisPage.get(server) : undefined
  const places = known ?? new PagePlaces(server, document, scope)
  if (scope === globalThis) ofThisPage.set(server, places)
  return places
}

/** The ones of this page, by the origin of the server. All agents and journals share them. */
const ofThisPage = new Map<string, Places>()

class PagePlaces implements Places {
  readonly areFew = true
  heldUntil = 0
  readonly #server: string
  readonly #document: PageDocument
  readonly #locks: Locks | undefined
  readonly #watchers = new Map<string | typeof anyRun, Set<Watcher>>()
  /** Returns false if the browser denies channels. */
  readonly #tell: (message: unknown) => boolean
  /** True from `pagehide` to `pageshow`: the page may be kept, to return to it. */
  #isLeft = false
  /** Without locks: true while this page has a stream. */
  #isTaken = false
  #crowded = 0

  constructor(server: string, document: PageDocument, scope: PageScope) {
    this.#server = server
    this.#document = document
    this.#locks = scope.navigator?.locks
    const onChange = (): void => this.#notifyShown()
    document.addEventListener('visibilitychange', onChange)
    scope.addEventListener('focus', onChange)
    scope.addEventListener('pagehide', () => {
      this.#isLeft = true
      onChange()
    })
    scope.addEventListener('pageshow', () => {
      this.#isLeft = false
      onChange()
    })
    this.#tell = this.#openChannel()
  }

  get isHidden(): boolean {
    return this.#isLeft || this.#document.visibilityState === 'hidden'
  }

  async takePlace(): Promise<(() => void) | undefined> {
    if (!this.#locks) return this.#takeAlone()
    for (let place = 0; place < most; place++) {
      try {
        const release = await takeLock(this.#locks, `interleave stream ${place} ${this.#server}`)
        if (release) return release
      } catch {
        // The browser denies locks, such as in a sandboxed frame.
        return this.#takeAlone()
      }
    }
    return undefined
  }

  watch(runId: string | typeof anyRun, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(runId) ?? new Set()
    this.#watchers.set(runId, watchers.add(watcher))
    return () => {
      watchers.delete(watcher)
      if (watchers.size === 0) this.#watchers.delete(runId)
    }
  }

  tellLength(runId: string, length: number): void {
    this.#notifyLength(runId, length)
    this.#tell({ runId, length })
  }

  #notifyLength(runId: string, length: number): void {
    for (const key of [runId, anyRun] as const) {
      for (const watcher of [...(this.#watchers.get(key) ?? [])]) watcher.onLength(length)
    }
  }

  /** Takes the only place, if no other page wants it. If several do, none has it: a stream that is open is closed. */
  #takeAlone(): (() => void) | undefined {
    if (this.#isTaken || !this.#tell({ wants: this.#server })) return undefined
    if (this.#crowded > 0) {
      this.#crowded--
      return undefined
    }
    this.#isTaken = true
    return () => {
      this.#isTaken = false
    }
  }

  #receiveMessage(message: unknown): void {
    const { runId, length, wants } = Object(message) as Readonly<Record<string, unknown>>
    if (typeof runId === 'string' && typeof length === 'number') this.#notifyLength(runId, length)
    if (wants !== this.#server) return
    this.#crowded = crowdedTimes
    if (this.#isTaken) for (const watcher of this.#allWatchers) watcher.onCrowded?.()
  }

  get #allWatchers(): readonly Watcher[] {
    return [...this.#watchers.values()].flatMap((watchers) => [...watchers])
  }

  #notifyShown(): void {
    const { isHidden } = this
    // Those that are visible beside this page say so again.
    if (!isHidden) this.#crowded = 0
    for (const watcher of this.#allWatchers) isHidden ? watcher.onHidden?.() : watcher.onShown()
  }

  #openChannel(): (message: unknown) => boolean {
    try {
      const onMessage = (message: unknown): void => this.#receiveMessage(message)
      const channel = openChannel('interleave pages', { onMessage, onAway() {}, onBack() {} })
      return (message) => {
        quietly(() => channel.post(message))
        return true
      }
    } catch {
      // A page learns of the others when it asks the server.
      return () => false
    }
  }
}

/** Takes a lock if it is free. Returns the function that releases it; undefined if it is taken. */
function takeLock(locks: Locks, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined)
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}
