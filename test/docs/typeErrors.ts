import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from './codeBlocks.ts'
import type { Module } from './moduleOf.ts'
import { writeModules } from './modules.ts'
import { tsconfig } from './tsconfig.ts'

const run = promisify(execFile)

/** Returns what the compiler says of modules under strict, at the pages and lines that a reader sees. */
export async function typeErrors(name: string, modules: readonly Module[]): Promise<readonly string[]> {
  const folder = writeModules(name, modules)
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder], { maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, file = '', row = '', words = ''] = /^(?:.*\/)?([\w-]+\/\d+\.\w+)\((\d+),\d+\): (.*)$/.exec(line) ?? []
      const module = modules.find((each) => each.path === file)
      return module ? `${module.block.page}:${module.block.line + Number(row) - 2} ${words}` : line
    })
}
