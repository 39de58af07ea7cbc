import type { Event } from '@interleave/core'

/** The logs of a run and of its child runs, by path: '' is the run itself, and the path of a child ends with a slash, as in "1/tool/0/". */
export class Logs {
  readonly #logs = new Map<string, Event[]>()

  constructor(logs: Iterable<readonly [string, readonly Event[]]> = []) {
    for (const [path, log] of logs) this.#logs.set(path, [...log])
  }

  of(path: string): Event[] {
    const log = this.#logs.get(path) ?? []
    this.#logs.set(path, log)
    return log
  }

  /** The log was loaded. */
  load(path: string, log: readonly Event[]): void {
    this.#logs.set(path, structuredClone([...log]))
  }

  get entries(): Iterable<readonly [string, readonly Event[]]> {
    return this.#logs
  }

  /** The events of all logs. Those of a child name its calls and questions by their path. */
  get all(): readonly Event[] {
    return [...this.#logs].flatMap(([path, log]) => (path === '' ? log : log.map((event) => under(path, event))))
  }

  clear(): void {
    this.#logs.clear()
  }
}

const named: ReadonlySet<string> = new Set(['call', 'ask', 'key'])

/** An event of a child, whose calls and questions are named by their path. */
export function under(path: string, event: Event): Event {
  if (path === '') return event
  const names = Object.entries(event).filter(([name, value]) => named.has(name) && typeof value === 'string')
  return { ...event, ...Object.fromEntries(names.map(([name, value]) => [name, path + value])) }
}

/** The path of a question: a run asks its child's under an id that begins with the child's key, "1/tool/0>" or "1/tool/0~1>". */
export const pathOf = (id: string): string => id.replace(/(?:~\d+)?>/g, '/')

/** The path of a question without what distinguishes those that replaced one another. A run and its child count them each. */
export const keyPathOf = (id: string): string => pathOf(id).replace(/~re\d+/g, '')
