import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { restateBinary } from '../../test/restate/restateBinary.ts'
import { startPostgres } from '../../test/servers/startPostgres.ts'
import { chatRoute } from './chatRoute.ts'
import { openRestate, openServers, openWorkerd } from './hosts.ts'
import { nodeLife, openChats, openTabs, openWorkers } from './lives.ts'
import type { OpenedSubject, Subject } from './subject.ts'

const root = path.resolve(import.meta.dirname, '../..')

const inPostgres = (program: string) => async (): Promise<OpenedSubject> => {
  const server = await startPostgres()
  return { begin: nodeLife(path.join(root, program)), storeOf: () => server.url, close: () => server.close() }
}

const inFiles =
  (program: string, variables: Readonly<Record<string, string>> = {}) =>
  async (): Promise<OpenedSubject> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'crash-'))
    return {
      begin: nodeLife(path.join(root, program), variables),
      storeOf: (run) => path.join(folder, `${run}.db`),
      close: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    }
  }

const programs = 'bench/crash/programs'
const own: readonly Subject[] = [
  {
    name: 'Interleave, a tab',
    kind: 'own',
    setup: "`indexedDbJournal` in Chromium. The page's process is crashed, and another page resumes the run.",
    program: `${programs}/tab.ts`,
    open: openTabs,
  },
  {
    name: 'Interleave, a worker',
    kind: 'own',
    setup:
      '`workerHost` in a dedicated worker, with `indexedDbJournal`. The worker is terminated, and another page and worker resume the run.',
    program: `${programs}/workerPage.ts`,
    open: openWorkers,
  },
  {
    name: 'Interleave, Node with SQLite',
    kind: 'own',
    setup: '`sqliteJournal` in a file. The process is killed, and another one resumes the run.',
    program: `${programs}/sqlite.ts`,
    open: inFiles(`${programs}/sqlite.ts`),
  },
  {
    name: 'Interleave, Node with PostgreSQL',
    kind: 'own',
    setup: '`postgresJournal`. The process is killed, and another one takes over the run.',
    program: `${programs}/postgres.ts`,
    open: inPostgres(`${programs}/postgres.ts`),
  },
  {
    name: 'Interleave, two servers with PostgreSQL',
    kind: 'own',
    setup:
      '`createHandler` in two processes over one `postgresJournal`, `takeoverAfterMs: 1_000`. The one that owns the run is killed, and its client asks the other.',
    program: `${programs}/server.ts`,
    open: openServers,
  },
  {
    name: 'Interleave, Durable Objects',
    kind: 'own',
    setup: '`runObject` in workerd. The process is killed and restarted on the same disk, and the client reconnects.',
    program: `${programs}/durableObject.ts`,
    open: openWorkerd,
  },
  {
    name: 'Interleave, Restate',
    kind: 'own',
    setup: '`restateHost` over HTTP/2. The process that executes the run is killed, and Restate asks another one.',
    program: `${programs}/restate.ts`,
    open: openRestate,
  },
]

const control = (name: string, broken: string, setup: string): Subject => ({
  name: `control: ${name}`,
  kind: 'control',
  setup: `Ours with SQLite, broken on purpose: ${setup}`,
  program: `${programs}/broken.ts`,
  open: inFiles(`${programs}/broken.ts`, { BROKEN: broken }),
})

const controls: readonly Subject[] = [
  control('writes late', 'lags', 'its journal claims to have what it writes with the next events.'),
  control('forgets that a call has begun', 'claims', 'its journal claims to have `called`, and has not.'),
  control(
    'forgets a reply',
    'replies',
    'its journal claims to have `replied`, and has not. Here a user approves each payment.',
  ),
  control('repeats a call unasked', 'repeats', 'each tool claims to be `idempotent`.'),
]

/** Compiles the driver of `SqliteSaver` once, as its install script would: the peers are installed without scripts. */
function buildSqlite(): void {
  const peers = path.join(root, 'bench/peers/node_modules')
  const cwd = realpathSync(path.join(peers, 'better-sqlite3'))
  if (existsSync(path.join(cwd, 'build/Release/better_sqlite3.node'))) return
  // The headers of this Node, whatever npm is configured with.
  const env = { ...process.env, npm_package_config_node_gyp_nodedir: path.resolve(process.execPath, '../..') }
  execFileSync(path.join(peers, '.bin/node-gyp'), ['rebuild', '--release'], { cwd, env, stdio: 'ignore' })
}

const workflow = 'bench/peers/crash/workflow'
const peers: readonly Subject[] = [
  {
    name: 'LangGraph',
    kind: 'peer',
    setup:
      'Its ReAct agent with `PostgresSaver`, as its guide says for production, and `durability: "sync"`, its most durable mode. It is invoked again with `null`.',
    program: 'bench/peers/crash/langgraph.ts',
    open: inPostgres('bench/peers/crash/langgraph.ts'),
  },
  {
    name: 'LangGraph with SQLite',
    kind: 'peer',
    setup: 'The same agent with `SqliteSaver` in a file, and `durability: "sync"`. It is invoked again with `null`.',
    program: 'bench/peers/crash/langgraph.ts',
    async open() {
      buildSqlite()
      return inFiles('bench/peers/crash/langgraph.ts')()
    },
  },
  {
    name: 'DBOS',
    kind: 'peer',
    setup:
      'A workflow in PostgreSQL whose model turns and tool calls are steps. `DBOS.launch()` resumes what did not end.',
    program: 'bench/peers/crash/dbos.ts',
    open: inPostgres('bench/peers/crash/dbos.ts'),
  },
  {
    name: 'WorkflowAgent',
    kind: 'peer',
    setup:
      "AI SDK's durable agent, whose tool is a step, with the Local World: a log in files. Its server resumes open runs when it starts. `WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS=1` spares a wait of a quarter of an hour.",
    program: `${workflow}/server.ts`,
    async open() {
      // It makes what `server.ts` imports.
      const build = ['build', '--workflow-manifest', '.well-known/workflow/v1/manifest.json']
      execFileSync(path.join(root, 'bench/peers/node_modules/.bin/workflow'), build, { cwd: path.join(root, workflow) })
      return inFiles(`${workflow}/server.ts`, { WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS: '1' })()
    },
  },
  {
    name: 'useChat, a tab',
    kind: 'peer',
    setup:
      "AI SDK's hook, with a tool that the page executes. Its route completes an answer without the page, then stores the chat. The page's process is crashed; another page loads the chat, and calls `regenerate()` if there is no answer.",
    program: 'bench/peers/crash/useChatPage.tsx',
    open: openChats('peers/crash/useChatPage.tsx', chatRoute),
  },
  {
    name: 'TanStack AI, a tab',
    kind: 'peer',
    setup:
      "Its client, with the guides' storage in the page, and a tool that the page executes. Its route has the guides' stream in memory, so another page joins an answer under way. The page's process is crashed; another page calls `reload()` if there is no answer.",
    program: 'bench/peers/crash/tanstackPage.ts',
    open: openChats('peers/crash/tanstackPage.ts', async (world) => {
      const { tanstackRoute } = (await import('../peers/crash/tanstackRoute.ts' as string)) as {
        tanstackRoute: typeof chatRoute
      }
      return tanstackRoute(world)
    }),
  },
]

/** All that can be tried here: Restate if its program is there, and the peers once they are installed. */
export const subjects: readonly Subject[] = [
  ...own.filter(({ open }) => open !== openRestate || restateBinary),
  ...controls,
  ...(existsSync(path.join(root, 'bench/peers/node_modules')) ? peers : []),
]
