import { remoteAgent } from '@interleave/connect/http'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { SignalOutlet, Transcript, useReAct } from '../index.ts'
import { FilePicker } from './FilePicker.tsx'
import { useFiles } from './useFiles.ts'

afterEach(cleanup)

const secret = 'a secret for tests only, of 32 bytes and more'
const guide = agent({ name: 'guide', model: scriptedModel('One.', 'Two.') })

function Chat({ fetch }: { readonly fetch: (url: string, init: RequestInit) => Promise<Response> }): ReactNode {
  const [remote] = useState(() => remoteAgent<typeof guide>({ url: 'https://edge.test', name: 'guide', fetch }))
  const { run, say, error } = useReAct(remote)
  const files = useFiles({ maxBytes: 5_000_000 })
  return (
    <>
      <Transcript run={run} />
      <SignalOutlet run={run} />
      {!run && error && <p role="alert">{error.message}</p>}
      <FilePicker files={files} />
      <button type="button" onClick={() => void files.send('Look.', say)}>
        Send
      </button>
    </>
  )
}

const handler = createHandler({
  agents: [guide],
  journal: memoryJournal(),
  secret,
  authorize: () => 'ada',
  limits: { bodyBytes: 1_000_000 },
})
const server = (url: string, init: RequestInit) => handler(new Request(url, init))
const proxy = async (url: string, init: RequestInit) =>
  String(init.body).length > 1_000_000 ? new Response('<html>413</html>', { status: 413 }) : server(url, init)

it.each([
  ['a server', server],
  ['a proxy', proxy],
])('says once that the first message is larger than %s takes, and gives the files back', async (_, fetch) => {
  const user = userEvent.setup()
  render(<Chat fetch={fetch} />)
  await user.upload(
    screen.getByLabelText('Attach files', { selector: 'input' }),
    new File([new Uint8Array(2_000_000)], 'big.bin'),
  )

  await user.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findAllByText(/too large/i)

  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove big.bin' })).not.toBeNull())
  expect(screen.getAllByText(/This is too large/)).toHaveLength(1)
  expect(document.body.textContent).not.toMatch(/bytes|compact|conversation/)
  await user.click(screen.getByRole('button', { name: 'Remove big.bin' }))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText(/One\.|Two\./)
})
