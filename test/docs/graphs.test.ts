import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cellsOf } from './cellsOf.ts'
import { root } from './codeBlocks.ts'

const run = promisify(execFile)

/** Beside the packages that the program imports; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/graphs')
const program = path.join(folder, 'graphs.mts')
const mark = '\u0001'
mkdirSync(folder, { recursive: true })

const cells = cellsOf(readFileSync(path.join(root, 'docs/graphs.md'), 'utf8'))
writeFileSync(program, cells.map(({ code }) => `${code}\nconsole.log('${mark}')\n`).join('\n'))

it('prints what docs/graphs.md says', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', program])

  const printed = stdout.split(mark).map((text) => text.trim())
  expect(printed.slice(0, -1)).toEqual(cells.map(({ output }) => output))
}, 30_000)

it('has a program that compiles', async () => {
  const config = { extends: '../../../../tsconfig.test.json', compilerOptions: { types: ['node'] }, include: ['*.mts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
}, 60_000)
