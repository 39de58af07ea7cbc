import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { journalSuite } from '@interleave/testing'
import { expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundleProgram.ts'
import { installedRuntime } from '../processes/installedRuntime.ts'

const run = promisify(execFile)
const cases = journalSuite(() => expect.unreachable()).map(({ name }) => name)

it.each([
  { name: 'bun', args: [], unmet: [] },
  // Its SQLite cuts a string that it reads at the first NUL, and one of these ids is a NUL.
  { name: 'deno', args: ['run', '-A', '--no-check'], unmet: ['keeps runs apart, whatever their ids'] },
] as const)(
  'a journal in a file of SQLite meets the requirements on $name',
  { timeout: 600_000 },
  async ({ name, args, unmet }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sqlite-'))
    const program = await bundleProgram(path.join(import.meta.dirname, 'journalSuiteProgram.ts'))
    const env = { ...process.env, FOLDER: folder }
    const { stdout } = await run(await installedRuntime(name), [...args, program], { env })
    rmSync(folder, { recursive: true })

    const { passed, failed } = JSON.parse(stdout) as Record<'passed' | 'failed', readonly string[]>
    expect(failed).toEqual(unmet)
    expect(passed).toEqual(cases.filter((each) => !failed.includes(each)))
  },
)
