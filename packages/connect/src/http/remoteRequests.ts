import type { Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import type { Command, ForkPlace } from '@interleave/core/internal'
import { demand, plainContent } from '@interleave/core/internal'
import type { NewRequest, Requests } from '../requests.ts'
import { asReadRun, lengthOf, type ReadRun } from './answers.ts'
import { type Connection, connect, type Listener } from './connection.ts'
import type { Token } from './frames.ts'
import { RunLink } from './runLink.ts'
import type { Asking, Server } from './server.ts'

export interface RemoteRequestsOptions {
  /** The agent's name. */
  readonly agent: string
  readonly server: Server
  readonly host: Pick<Host, 'timer' | 'newId' | 'now'>
  /** Query parameters: the client's id, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly hear: (runId: string) => Omit<Listener, 'token'>
  /** A stream of a run begins, or there is none any more. */
  readonly onStream: (runId: string) => void
}

/** The requests about one run, and what is known of it besides its events. */
interface Talk {
  readonly connection: Connection
  readonly tokens: Map<string, Token>
}

export interface RemoteRequests extends Pick<Requests, 'send' | 'rejectOf'> {
  /** Has a run forked, with this id. */
  fork(run: string, place: ForkPlace & { readonly id: string }): Promise<void>
}

/** Asks a server what a page asks a worker. */
export function createRemoteRequests(options: RemoteRequestsOptions): RemoteRequests {
  const { agent, server, host, client, hear, onStream } = options
  const talks = new Map<string, Talk>()
  const asking = new Map<string, AbortController>()
  const links = new Map<string, RunLink>()
  /** Runs whose start is not answered yet. */
  const starting = new Map<string, Promise<unknown>>()

  const signalOf = (run: string): AbortSignal => {
    const controller = asking.get(run) ?? new AbortController()
    asking.set(run, controller)
    return controller.signal
  }
  const linkOf = (run: string): RunLink => {
    const link = links.get(run) ?? new RunLink(host, (now) => hear(run).link(now))
    links.set(run, link)
    return link
  }
  const call = (run: string, path: string, asking: Omit<Asking, 'signal'> = {}): Promise<unknown> => {
    const signal = signalOf(run)
    return linkOf(run).during((more) => server.call(path, { ...asking, ...more, signal }))
  }
  const post = async (run: string, path: string, body: object, untilAnswered = false): Promise<number> => {
    const query = client.client ? `?client=${client.client}` : ''
    return lengthOf(await call(run, `${path}${query}`, { method: 'POST', body, untilAnswered }))
  }
  const forget = (run: string): void => {
    talks.delete(run)
    asking.delete(run)
    links.delete(run)
    onStream(run)
  }
  const talkTo = (run: string): Talk => {
    const known = talks.get(run)
    if (known) return known
    const tokens = new Map<string, Token>()
    const listener = hear(run)
    const talk: Talk = {
      tokens,
      connection: connect({
        runId: run,
        server,
        host,
        client,
        hear: {
          ...listener,
          token: (token) => tokens.set(token.ask, token),
          link(link) {
            if (link.type === 'connecting') onStream(run)
            linkOf(run).stream = link
          },
          fail(error) {
            forget(run)
            listener.fail(error)
          },
        },
      }),
    }
    talks.set(run, talk)
    return talk
  }
  const look = async (run: string): Promise<ReadRun> => asReadRun(await call(run, pathTo(run)))
  const attach = async (run: string): Promise<number> => {
    const signal = signalOf(run)
    const { agent: is, length } = await look(run)
    if (is !== agent)
      throw new AgentError('agent_mismatch', `The run "${run}" is of the agent "${is}". Resume it with that one.`)
    if (!signal.aborted) talkTo(run)
    return length
  }
  const renew = async (run: string, { tokens }: Talk): Promise<void> => {
    for (const { ask, ...given } of (await look(run)).asks) tokens.set(ask.id, { ...given, ask: ask.id })
  }
  /** Asks for a new token if the one it has has expired, but never for another question that has the same id. */
  const reply = async (run: string, { ask, value }: Extract<Command, { type: 'reply' }>): Promise<number> => {
    const talk = talkTo(run)
    const known = talk.tokens.get(ask)
    if (!known) await renew(run, talk)
    const send = (): Promise<number> => {
      const token = talk.tokens.get(ask)?.token
      if (token === undefined) throw new AgentError('ask_unknown', `There is no open question "${ask}".`)
      return post(run, pathTo(run, 'reply'), { ask, value, token })
    }
    try {
      return await send()
    } catch (error) {
      if (!known || !isAgentError(error) || error.code !== 'token_invalid') throw error
      talk.tokens.delete(ask)
      await renew(run, talk)
      const now = talk.tokens.get(ask)
      if (now && now.at !== known.at) throw error
      return send()
    }
  }
  const obey = async (run: string, command: Command): Promise<number> => {
    // A server does not know a run before it has started it, and another process of it might be asked.
    await starting.get(run)?.catch(ignore)
    switch (command.type) {
      case 'say':
        return post(run, pathTo(run, 'say'), { content: command.content, key: command.key }, true)
      case 'reply':
        return reply(run, command)
      case 'stop':
        return post(run, pathTo(run, 'stop'), { reason: command.reason })
      case 'resume':
        return post(run, pathTo(run, 'resume'), { after: talkTo(run).connection.next })
    }
  }
  const start = async ({ run, input, key, history }: Extract<NewRequest, { type: 'start' }>): Promise<number> => {
    demand(!history, 'A server takes no history from elsewhere. Resume the run, or say what matters of it.')
    const signal = signalOf(run)
    linkOf(run).stream = { type: 'connecting' }
    const started = post(run, 'runs', { agent, id: run, input, ...(key !== undefined && { key }) }, true)
    starting.set(run, started)
    const length = await started.finally(() => starting.delete(run))
    // It may have been closed meanwhile.
    if (!signal.aborted) talkTo(run)
    return length
  }

  return {
    async fork(run, { id, at, edit }) {
      const canBe = edit === undefined || 'content' in edit
      demand(canBe, 'A server changes nothing but words of users: fork with edit: { content }.')
      const body = { id, ...(at !== undefined && { at }), ...(edit && { content: plainContent(edit.content) }) }
      await server.call(pathTo(run, 'fork'), { method: 'POST', body, signal: new AbortController().signal })
    },
    async send(request) {
      const { run } = request
      switch (request.type) {
        case 'start':
          return start(request)
        case 'attach':
          return attach(run)
        case 'command':
          return obey(run, request.command)
        case 'leave':
          talks.get(run)?.connection.close()
          forget(run)
          return 0
        case 'settle':
          // What a server tells of is in its journal.
          return 0
      }
    },
    rejectOf(run, error) {
      asking.get(run)?.abort(error)
    },
  }
}

const ignore = (): void => {}

const pathTo = (run: string, what?: string): string =>
  `runs/${encodeURIComponent(run)}${what === undefined ? '' : `/${what}`}`
