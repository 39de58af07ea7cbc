import { HttpAgent } from '@ag-ui/client'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { nodeListener } from '@interleave/server/node'
import { listen } from '@interleave/test-kit/listen'
import { type AgUiHandlerOptions, agUiHandler } from '../handler/agUiHandler.ts'

export interface Served {
  readonly url: string
  readonly journal: Journal
  close(): Promise<void>
}

type Options = Partial<AgUiHandlerOptions> & Pick<AgUiHandlerOptions, 'agents'>

/** Serves agents over HTTP on this machine. */
export async function serve(options: Options): Promise<Served> {
  const { journal = memoryJournal() } = options
  const authorize = ({ headers }: Request) => headers.get('authorization') ?? 'ada'
  const { url, close } = await listen(nodeListener(agUiHandler({ authorize, ...options, journal })))
  return { url: `${url}/agents/${options.agents[0]?.name}`, journal, close }
}

/** Creates an official client with a thread of its own. */
export function clientOf({ url }: Served, config: Partial<ConstructorParameters<typeof HttpAgent>[0]> = {}): HttpAgent {
  return new HttpAgent({ url, threadId: crypto.randomUUID(), ...config })
}

let messages = 0
/** Adds a message of the user. */
export function say(client: HttpAgent, content: string): void {
  client.addMessage({ id: `m${++messages}`, role: 'user', content })
}
