import type { Event } from '@interleave/core'
import { type Agent, type Ask, isAgentError, type Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { type AnyEvent, fold, isKept } from '@interleave/core/observe'
import type { Life } from './life.ts'
import { keyPathOf, under } from './logs.ts'
import { type OpenedRun, serveRun, shareRun } from './openRun.ts'
import type { Scenario } from './scenarios.ts'

/** A pending reply, and what its user saw. */
interface Replying {
  readonly ask: string
  readonly value: string
  readonly seen: Ask
}

/** The run in one page, and what its user does there. */
export class Page {
  run: Run | undefined
  /** The view of others, if the run is in a server or tabs share it. */
  opened: OpenedRun | undefined
  /** The page could not load the run. */
  failure: unknown
  readonly life: Life
  #texts: string[] = []
  readonly #replying = new Set<Replying>()
  /** Questions as they were shown first. */
  readonly #shown = new Map<string, Ask>()
  /** True if a refused write explains the next failure. */
  #isExcused = false
  /** Refused writes of child runs. Such a child fails once it has written what it did, maybe after the run was resumed. */
  #childFailures = 0

  constructor(life: Life) {
    this.life = life
    this.#load('', life.emitted.of(''))
    life.onLoaded = (path, log) => this.#load(path, log)
    life.onChildEvent = (path, event) => this.#receiveOfChild(path, event)
  }

  open(described: Agent, { journal, scenario }: { readonly journal: Journal; readonly scenario: Scenario }): void {
    const { life } = this
    const { runId, host } = life
    const observers = [(event: AnyEvent) => this.#receive(event)]
    const onRun = (run: Run): void => {
      this.run = run
      this.#watch()
    }
    const onFailure = (error: unknown): void => {
      this.failure = error
    }
    const opening = { life, agent: described, journal, observers, onRun, onFailure }
    if (scenario.isServed) this.opened = serveRun(opening)
    else if (scenario.isShared) this.opened = shareRun(opening)
    else if (life.emitted.of('').length === 0) onRun(described.start('Go', { id: runId, journal, host, observers }))
    else described.resume(runId, { journal, host, observers }).then(onRun, onFailure)
  }

  #load(path: string, log: readonly Event[]): void {
    if (path === '' && this.run) return
    this.life.emitted.load(path, log)
    if (path === '') this.#texts = log.map((event) => JSON.stringify(event))
  }

  #receive(event: AnyEvent): void {
    if (!isKept(event)) return
    const { witness, emitted } = this.life
    emitted.of('').push(event)
    this.#texts.push(JSON.stringify(event))
    if (event.type === 'asked' && !event.ask.id.includes('>')) witness.asks(event.ask.id, emitted.all)
    if (event.type === 'observed') witness.ends(event)
    if (event.type === 'replied') this.#match(event)
    if (event.type === 'settled') this.#rest(event)
  }

  #receiveOfChild(path: string, event: AnyEvent): void {
    if (!isKept(event)) return
    const { witness, emitted } = this.life
    const log = emitted.of(path)
    // Another object of the child begins with the journal's events.
    log.splice(event.seq, log.length, event)
    if (event.type === 'asked' && !event.ask.id.includes('>')) witness.asks(path + event.ask.id, emitted.all)
    if (event.type === 'replied') this.#match(under(path, event) as typeof event)
  }

  #match(replied: Extract<Event, { type: 'replied' }>): void {
    const value = JSON.stringify(replied.value)
    for (const replying of this.#replying) {
      const { ask, seen } = replying
      const isIt = ask.includes('>') ? keyPathOf(ask) === keyPathOf(replied.ask) : ask === replied.ask
      if (isIt && replying.value === value) this.life.witness.answered(replied, seen)
    }
  }

  #rest({ signal }: Extract<Event, { type: 'settled' }>): void {
    this.#watch()
    this.life.witness.endsWith(signal, this.life.isAway || this.life.isOvertaken)
    if (signal.type !== 'failed') return
    const { code, message } = signal.error
    const isExcused = this.#isExcused || this.life.isAway || this.life.isOvertaken
    if (code.startsWith('journal_') && (isExcused || this.#childFailures-- > 0)) return
    this.life.witness.report('live', `The run fails, and no write was refused since it went on: ${message}`)
  }

  /** Everyone who waits for the run to settle learns of it when the journal has it. */
  #watch(): void {
    void this.run?.settled.then((signal) => this.life.witness.noteSettled(signal))
  }

  /** Looks at the run from outside, as an app does again and again. */
  glance(): void {
    const { run } = this
    this.opened?.glance()
    if (!run) return
    for (const ask of run.state.asks) if (!this.#shown.has(ask.id)) this.#shown.set(ask.id, ask)
    if (run.state.signal) this.#watch()
  }

  /** Open questions that no reply is on the way to. */
  get asks(): readonly Ask[] {
    const replying = new Set([...this.#replying].map(({ ask }) => ask))
    return this.run?.state.asks.filter(({ id }) => !replying.has(id)) ?? []
  }

  /** The view of a user who has not looked again since the question changed. */
  staleView({ id, ...ask }: Ask): Ask | undefined {
    const first = this.#shown.get(id)
    return first && JSON.stringify(first) !== JSON.stringify({ id, ...ask }) ? first : undefined
  }

  reply(seen: Ask, value: unknown): void {
    const { run, life } = this
    if (!run) return
    life.witness.touch()
    const replying = { ask: seen.id, value: JSON.stringify(value), seen: structuredClone(seen) }
    this.#replying.add(replying)
    const settled = (): void => void this.#replying.delete(replying)
    const given = structuredClone(value)
    run.reply(seen as never, given as never).then(
      () => {
        settled()
        life.witness.promises(
          `reply to ${seen.id}`,
          (event) =>
            event.type === 'replied' && event.ask === seen.id && JSON.stringify(event.value) === replying.value,
        )
      },
      (error: unknown) => {
        settled()
        if (!isAgentError(error) || error.code === 'reply_invalid')
          life.witness.report('live', `A reply fails: ${error}`)
      },
    )
    if (typeof given === 'object' && given !== null) Object.assign(given, { approved: 'changed', input: 'changed' })
  }

  /** Says the same twice, as a page does that is not sure. */
  say(key: string, { now = false } = {}): void {
    const { run, life } = this
    life.witness.touch()
    for (let caller = 1; caller <= 2; caller++) {
      const content = [{ type: 'text' as const, text: 'And?' }]
      run?.say(content, { key, now }).then(
        () => life.witness.promises(`say, caller ${caller},`, (event) => event.type === 'said' && event.key === key),
        () => {},
      )
      content.push({ type: 'text', text: 'changed' })
    }
  }

  revoke(id: string): void {
    const { run, life } = this
    run?.revoke(id).then(
      () => life.witness.promises(`revoke ${id}`, (event) => event.type === 'revoked' && event.id === id),
      () => {},
    )
  }

  stop(): void {
    const { witness } = this.life
    witness.stops()
    void this.run?.stop().finally(() => witness.hasStopped())
  }

  resume(): void {
    this.#isExcused = false
    this.life.witness.touch()
    this.run?.resume()
  }

  /** A write is refused, to the run or to a child run. */
  excuse(isOfChild: boolean): void {
    this.#isExcused = true
    if (isOfChild) this.#childFailures++
  }

  /** I6: what was emitted is as it was, and so is the state. */
  inspect(): void {
    const { run, life } = this
    const { witness } = life
    for (const [at, event] of life.emitted.of('').entries()) {
      witness.compares(`event ${at}`, JSON.stringify(event), this.#texts[at] ?? '')
    }
    if (!run) return
    const { draft: _, saving: ___, ...state } = run.state
    const { draft: __, ...folded } = fold(this.#texts.map((text) => JSON.parse(text) as Event))
    witness.compares('the state', JSON.stringify(state), JSON.stringify(folded))
    if (run.log.length !== this.#texts.length) witness.report('I6', 'The run has other events than it told.')
  }
}
