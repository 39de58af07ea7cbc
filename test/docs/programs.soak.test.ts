import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Cell, cellsOf } from './cellsOf.ts'
import { root } from './codeBlocks.ts'

const run = promisify(execFile)

/** Beside the packages that the programs import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/programs')
mkdirSync(folder, { recursive: true })

const tutorial = readdirSync(path.join(root, 'docs/tutorial')).map((name) => `tutorial/${name}`)
/** Pages that are one program each, from top to bottom. */
const programs = [...tutorial, 'graphs.md', 'many-agents.md', 'ai-sdk.md'].map((page) => ({
  page,
  name: page,
  cells: cellsIn(page),
}))
/** Blocks that are a program each. */
const blocks = cellsIn('declared-agents.md').map((cell, index) => {
  const page = 'declared-agents.md'
  return { page, name: `${page} ${index + 1}`, cells: [cell] }
})

function cellsIn(page: string): readonly Cell[] {
  return cellsOf(readFileSync(path.join(root, 'docs', page), 'utf8'))
}

const mark = '\u0001'
for (const { page, name, cells } of [...programs, ...blocks]) {
  const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}.mts`)
  const code = cells.map((cell) => `${cell.code}\nconsole.log('${mark}')\n`)
  writeFileSync(file, `${code.join('\n')}\nexport {}\n`)

  it(`prints what docs/${name} says`, async () => {
    const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', file])

    const printed = stdout.split(mark).map((text) => text.trim())
    expect(printed.slice(0, -1), page).toEqual(cells.map(({ output }) => output))
  })
}

it('has programs that compile', async () => {
  const config = { extends: '../../../../tsconfig.test.json', compilerOptions: { types: ['node'] }, include: ['*.mts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
})
