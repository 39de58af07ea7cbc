import { afterAll, beforeAll } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { type Services, serveTo } from './serveTo.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'

interface RestateOfFile {
  readonly server: RestateServer
  serve(services: Services, mode?: 'fetch' | 'http2'): Promise<void>
}

/** Starts one server of Restate for the tests of a file, which ends with them. */
export function restateOfFile(): RestateOfFile {
  let server: RestateServer
  const closing: (() => unknown)[] = []
  needsRestate()
  beforeAll(async () => {
    if (restateBinary) server = await startRestate()
  })
  afterAll(async () => {
    for (const close of closing) close()
    await server?.close()
  })
  return {
    get server() {
      return server
    },
    serve: async (services, mode) => void closing.push(await serveTo(server, services, mode)),
  }
}
