// The page of popup.soak.test.ts, and the page to which the authorization server leads back.
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { finishPopup, mcpClient, mcpTools, popupAuth } from '../index.ts'
import { caller, callOf } from './agents.ts'

let loads = 0

/** Starts a run that pays. Its first request is refused until the user has consented. */
function start(url: string, timeoutMs?: number) {
  const auth = popupAuth({
    url,
    redirectUrl: `${location.origin}/back`,
    clientMetadataUrl: 'https://app.example/client.json',
    store: sessionStorage,
    load: () => {
      loads++
      return import('@modelcontextprotocol/client')
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const button = document.createElement('button')
  button.textContent = 'Sign in'
  button.onclick = auth.open
  document.body.append(button)
  const states: string[] = []
  auth.subscribe(() => void states.push(auth.state.type))
  const client = mcpClient({ url, auth })
  let log = ''
  const done = Promise.resolve(mcpTools(client, { only: ['add'] }).current()).then(async (tools) => {
    const run = caller(tools, 'add', { a: 1, b: 2 }).start('Go', { journal: indexedDbJournal() })
    await run.settled
    log = JSON.stringify(run.log)
    return callOf(run)?.output
  })
  const shown = done.catch((error: Error) => error.message)
  Object.assign(globalThis, { auth, states, shown, seen: () => ({ loads, log, states }) })
}

if (location.pathname === '/back') {
  finishPopup({ timeoutMs: 20_000 }).then((outcome) => {
    document.body.textContent = outcome
  })
}
Object.assign(globalThis, { start })
