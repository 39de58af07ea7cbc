import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { createHandler } from '@interleave/server'
import { nodeListener, sqliteJournal } from '@interleave/server/node'
import { guideOf } from './guide.ts'

/** Serves the pages of FOLDER and runs that are kept in it, until it is killed. */
const { FOLDER = '', WORLD = '', PORT } = process.env
const serveRuns = nodeListener(
  createHandler({
    agents: [guideOf(WORLD)],
    journal: sqliteJournal(new DatabaseSync(`${FOLDER}/runs.db`)),
    secret: 'a secret for tests only, of 32 bytes and more',
    authorize: () => 'ada',
  }),
)
createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  if (pathname.startsWith('/api/')) return serveRuns(request, response)
  response.setHeader('content-type', 'text/html')
  if (pathname === '/other') return response.end('<!doctype html><title>Other</title><p>Another page')
  response.end(readFileSync(`${FOLDER}/page.html`))
}).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
