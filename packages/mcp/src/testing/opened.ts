import { afterEach } from 'vitest'
import type { Served } from './shopServer.ts'

const open: Served[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** A server that is closed after the test. */
export async function opened<T extends Served>(served: Promise<T>): Promise<T> {
  const server = await served
  open.push(server)
  return server
}
