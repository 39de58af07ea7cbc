// The server of a workflow. It keeps its runs in files, and takes up on its start what did not end.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { getRun, start } from 'workflow/api'
import { getWorld } from 'workflow/runtime'
import { call } from '../../../crash/programs/call.ts'
import { told } from '../../../crash/programs/toldByEnv.ts'

/** Made by `workflow build`, in this folder. */
const { POST } = (await import('./.well-known/workflow/v1/flow.mjs' as string)) as {
  POST(request: Request): Promise<Response>
}
const { default: manifest } = (await import('./.well-known/workflow/v1/manifest.json' as string, {
  with: { type: 'json' },
})) as {
  default: { workflows: Record<string, Record<string, never>> }
}
const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const answer = await POST(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: 'POST',
      headers: request.headers as Record<string, string>,
      body,
    }),
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.env.PORT = `${(server.address() as AddressInfo).port}`
process.env.WORKFLOW_LOCAL_DATA_DIR = told.store
const world = await getWorld()
await world.start?.()
const { data } = await world.runs.list({})
const id = data[0]?.runId ?? (await start(manifest.workflows['workflows/payer.ts'].payer, [told])).runId
await call(told, '/done', { amounts: await getRun(id).returnValue })
