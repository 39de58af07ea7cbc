import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cellsOf } from './cellsOf.ts'
import { root } from './codeBlocks.ts'

const run = promisify(execFile)

/** Beside the packages that the programs import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/tutorial')
mkdirSync(folder, { recursive: true })

const pages = readdirSync(path.join(root, 'docs/tutorial')).filter((name) => /^\d.*\.md$/.test(name))
const programOf = (page: string): string => path.join(folder, page.replace(/md$/, 'mts'))
const mark = '\u0001'

for (const page of pages) {
  const cells = cellsOf(readFileSync(path.join(root, 'docs/tutorial', page), 'utf8'))
  const code = cells.map((cell) => `${cell.code}\nconsole.log('${mark}')\n`)
  writeFileSync(programOf(page), `${code.join('\n')}\nexport {}\n`)

  it(`prints what docs/tutorial/${page} says`, async () => {
    const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', programOf(page)])

    const printed = stdout.split(mark).map((text) => text.trim())
    expect(printed.slice(0, -1)).toEqual(cells.map(({ output }) => output))
  }, 30_000)
}

it('has programs that compile', async () => {
  const config = { extends: '../../../../tsconfig.test.json', compilerOptions: { types: ['node'] }, include: ['*.mts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
}, 60_000)
