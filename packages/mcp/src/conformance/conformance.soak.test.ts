import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { fetchTool } from '../../../../scripts/fetch-tool.mjs'
import { openServer } from './agentServer.ts'

const run = promisify(execFile)
const version = '0.2.0-alpha.12'

/** Installs the suite when it is first needed. The lockfile does not have it, since only this test needs it. */
async function installed(): Promise<string> {
  const home = await fetchTool(`mcp-conformance-${version}`, [`@modelcontextprotocol/conformance@${version}`])
  return path.join(home, 'node_modules/.bin/conformance')
}

/** Runs the scenarios that 2026-07-28 requires of a client or of a server. */
async function required(side: 'client' | 'server', ...options: string[]) {
  const reports = mkdtempSync(path.join(tmpdir(), 'mcp-'))
  const scenarios = [side, '--requirements', '2026-07-28', ...options, '-o', reports]
  const { stdout } = await run(await installed(), scenarios, { maxBuffer: 2 ** 27 }).catch(
    (error: { stdout: string }) => error,
  )
  const [, summary = ''] = stdout.split(/SUITE SUMMARY|=== SUMMARY ===/)
  const [scored = '', unscored = ''] = summary.split('Not scored')
  const lines = (mark: string): string[] =>
    scored.split('\n').filter((line) => line.startsWith(mark) && !unscored.includes(nameIn(line)))
  const [passed, failed] = [lines('✓'), lines('✗')]
  console.log(`${passed.length} required ${side} scenarios of the MCP conformance suite passed.`)
  return { passed: passed.length, failed, stdout }
}

const nameIn = (line: string): string => `${line.slice(2).split(':')[0]} `

it('passes the client scenarios that 2026-07-28 requires', { timeout: 600_000 }, async () => {
  const driver = `${process.execPath} --conditions=@interleave/source ${path.join(import.meta.dirname, 'driver.ts')}`

  // All scenarios run at the same time, each in a process.
  const { passed, failed } = await required('client', '--timeout', '300000', '--command', driver)

  expect(failed).toEqual([])
  expect(passed).toBeGreaterThanOrEqual(32)
})

it('passes the server scenarios that 2026-07-28 requires, three of them answered by agents', {
  timeout: 600_000,
}, async () => {
  const server = await openServer()

  const { passed, failed, stdout } = await required('server', '--url', server.url).finally(() => server.close())

  expect(failed, stdout.slice(-6_000)).toEqual([])
  expect(passed).toBeGreaterThanOrEqual(37)
})
