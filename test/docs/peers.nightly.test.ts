import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Block, blocksOf, pages } from './blocksOf.ts'
import { root } from './codeBlocks.ts'
import { openAiStandIn } from './openAiStandIn.ts'
import { type Peer, peers, writeProgram } from './peers.ts'

const run = promisify(execFile)
const names = Object.keys(peers) as Peer[]
const page = 'docs/coming-from.md'
const lines = readFileSync(path.join(root, page), 'utf8').split('\n')
const blocks = blocksOf(page, 'peers')
/** Installing a library may take a minute. */
const minutes = 5 * 60_000

const headingOf = ({ line }: Block): string => lines.slice(0, line).findLast((each) => each.startsWith('## ')) ?? ''
const blockOf = (peer: Peer): Block =>
  blocks.find((block) => headingOf(block).startsWith(`## From ${peer} `)) ?? expect.unreachable(peer)
const written = (peer: Peer): Promise<string> => {
  const { language, code } = blockOf(peer)
  return writeProgram(peer, `program.${language}`, code)
}

it('knows every library whose code a page shows', () => {
  expect(pages.flatMap((each) => blocksOf(each, 'peers'))).toHaveLength(names.length)
})

it.each(names)(
  'type-checks the program of %s with the versions that its heading names',
  { timeout: minutes },
  async (peer) => {
    const folder = await written(peer)

    const tsc = path.join(root, 'node_modules/.bin/tsc')
    const { stdout } = await run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder]).catch((error) => error)

    expect(stdout).toBe('')
    for (const version of Object.values(peers[peer].versions))
      expect(headingOf(blockOf(peer))).toContain(version.split('.').slice(0, 2).join('.'))
  },
)

/** The user's dialog, which picks the later time. */
const dialog = `
globalThis.save = async () => {}
globalThis.showMyDialog = async (question) => (console.log('asked', JSON.stringify(question)), '20:30')
await import('./program.ts')`

it.each([
  { peer: 'LangGraph', input: { people: 4 }, asks: '{"prompt":"When?","options":["18:00","20:30"]}' },
  { peer: 'OpenAI Agents', input: { people: 4, time: '20:30' }, asks: 'tool_approval_item' },
] as const)('runs the program of $peer: it asks, and books', { timeout: minutes }, async ({ peer, input, asks }) => {
  const folder = await written(peer)
  writeFileSync(path.join(folder, 'main.mts'), dialog)
  const openAi = await openAiStandIn({ name: 'bookTable', input })
  try {
    const env = {
      ...process.env,
      OPENAI_BASE_URL: openAi.url,
      OPENAI_API_KEY: 'none',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    }
    const { stdout } = await run(process.execPath, [path.join(folder, 'main.mts')], { env })

    expect(stdout.match(/^asked .*$/gm)).toEqual([expect.stringContaining(asks)])
    expect(stdout.trim().split('\n').at(-1)).toContain('Booked for 4 at 20:30.')
  } finally {
    openAi.close()
  }
})
