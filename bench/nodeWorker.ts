import { execFile } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Sample } from './sample.ts'

const execute = promisify(execFile)

/** Measures one case for one subject in a fresh process, in which nothing else has run. */
export async function measureInNode(caseName: string, subject: string, quick: boolean): Promise<readonly Sample[]> {
  const file = path.join(import.meta.dirname, 'worker.ts')
  const args = ['--expose-gc', '--max-old-space-size=8192', file, caseName, subject, quick ? 'quick' : 'full']
  const { stdout } = await execute(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}
