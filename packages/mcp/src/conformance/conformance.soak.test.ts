import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { fetchTool } from '../../../../scripts/fetch-tool.mjs'

const run = promisify(execFile)
const version = '0.2.0-alpha.12'

/** Installs the suite when it is first needed. The lockfile does not have it, since only this test needs it. */
async function installed(): Promise<string> {
  const home = await fetchTool(`mcp-conformance-${version}`, [`@modelcontextprotocol/conformance@${version}`])
  return path.join(home, 'node_modules/.bin/conformance')
}

it('passes the client scenarios that 2026-07-28 requires', { timeout: 600_000 }, async () => {
  const driver = `${process.execPath} --conditions=@interleave/source ${path.join(import.meta.dirname, 'driver.ts')}`
  const reports = mkdtempSync(path.join(tmpdir(), 'mcp-'))
  // All scenarios run at the same time, each in a process.
  const scenarios = [
    'client',
    '--requirements',
    '2026-07-28',
    '--timeout',
    '300000',
    '--command',
    driver,
    '-o',
    reports,
  ]
  const { stdout } = await run(await installed(), scenarios, { maxBuffer: 2 ** 27 }).catch(
    (error: { stdout: string }) => error,
  )

  const [, summary = ''] = stdout.split('SUITE SUMMARY')
  const [scored = '', unscored = ''] = summary.split('Not scored')
  const failed = scored.split('\n').filter((line) => line.startsWith('✗') && !unscored.includes(nameIn(line)))
  const passed = scored.split('\n').filter((line) => line.startsWith('✓') && !unscored.includes(nameIn(line)))
  console.log(`${passed.length} required scenarios of the MCP conformance suite passed.`)
  expect(failed).toEqual([])
  expect(passed.length).toBeGreaterThanOrEqual(32)
})

const nameIn = (line: string): string => `${line.slice(2).split(':')[0]} `
