import type { Answer, ClientErrand, HostMessage, ToolErrand } from '@interleave/connect/internal'
import { createPage, type Page, pageRoll } from '@interleave/connect/internal'
import type { Host } from '@interleave/core'

/** The clients that perform tools of runs, each for as long as it has a stream of the run open, and a while longer. */
export interface ClientPages {
  /** A client opens a stream. Returns what says that the stream is closed. */
  connect(client: Client, send: (errand: ClientErrand) => void): () => void
  /** Delivers the result of a remote call. Returns true if it was awaited. */
  hear(client: Pick<Client, 'runId' | 'name'>, answer: Answer): boolean
  /** It did something: of several, it is the one that is looked at. */
  heardOf(client: Pick<Client, 'runId' | 'name'>): void
}

export interface Client {
  /** As the journal has it. */
  readonly runId: string
  /** Which of those that have the run open. */
  readonly name: string
  readonly tools: readonly string[]
}

interface Connected {
  readonly page: Page
  /** Unanswered calls, which are sent again to a client that reconnects. */
  readonly open: Map<string, ToolErrand>
  send: ((errand: ClientErrand) => void) | undefined
  cancelLoss(): void
}

/** Milliseconds in which a client may reconnect and continue its calls. */
const grace = 15_000

export function createClientPages(host: Pick<Host, 'timer'>): ClientPages {
  const clients = new Map<string, Connected>()

  const create = ({ runId, tools }: Client): Connected => {
    const open = new Map<string, ToolErrand>()
    const post = (message: HostMessage): void => {
      if (message.type === 'tool') open.set(message.call, message)
      if (message.type === 'abort') open.delete(message.call)
      if (message.type === 'tool' || message.type === 'abort') connected.send?.(message)
    }
    const shows = (id: string): boolean => id === runId || id.startsWith(`${runId}/`)
    const connected: Connected = {
      page: createPage({ tools, models: [], post, shows }),
      open,
      send: undefined,
      cancelLoss() {},
    }
    return connected
  }
  const lose = (key: string, { page }: Connected): void => {
    clients.delete(key)
    pageRoll.remove(page)
    page.lose()
  }

  return {
    connect(client, send) {
      const key = keyOf(client)
      const known = clients.get(key)
      if (known && !hasAll(known.page, client.tools)) lose(key, known)
      const connected = clients.get(key) ?? create(client)
      clients.set(key, connected)
      connected.cancelLoss()
      connected.send = send
      for (const errand of connected.open.values()) send(errand)
      pageRoll.add(connected.page)
      return () => {
        // It may have come back before.
        if (connected.send !== send) return
        connected.send = undefined
        connected.cancelLoss = host.timer(grace, () => lose(key, connected))
      }
    },
    hear(client, answer) {
      const connected = clients.get(keyOf(client))
      if (!connected?.open.delete(answer.call)) return false
      connected.page.hear(answer)
      return true
    },
    heardOf(client) {
      const connected = clients.get(keyOf(client))
      if (connected) pageRoll.heardOf(connected.page)
    },
  }
}

const keyOf = ({ runId, name }: Pick<Client, 'runId' | 'name'>): string => `${runId}|${name}`
const hasAll = (page: Page, tools: readonly string[]): boolean =>
  page.tools.size === tools.length && tools.every((tool) => page.tools.has(tool))
