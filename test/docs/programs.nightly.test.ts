import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Cell, cellsOf } from './cellsOf.ts'
import { root } from './codeBlocks.ts'
import { notebooks, onNode } from './howRun.ts'
import { moduleNamed, writeModules } from './modules.ts'

const run = promisify(execFile)

/** Beside the packages that the programs import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/programs')
mkdirSync(folder, { recursive: true })

const programs = notebooks.map((page) => ({ page, name: page, cells: cellsIn(page) }))
/** Blocks that are a program each. */
const blocks = cellsIn('docs/declared-agents.md').map((cell, index) => {
  const page = 'docs/declared-agents.md'
  return { page, name: `${page} ${index + 1}`, cells: [cell] }
})

function cellsIn(page: string): readonly Cell[] {
  return cellsOf(readFileSync(path.join(root, page), 'utf8'))
}

const mark = '\u0001'
const shown = [...programs, ...blocks].map(({ page, name, cells }) => {
  const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}.mts`)
  const code = cells.map((cell) => `${cell.code}\nconsole.log('${mark}')\n`)
  writeFileSync(file, `${code.join('\n')}\nexport {}\n`)
  return { page, name, cells, file }
})

it.each(shown)('prints what $name says', async ({ page, cells, file }) => {
  const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', file])

  const printed = stdout.split(mark).map((text) => text.trim())
  expect(printed.slice(0, -1), page).toEqual(cells.map(({ output }) => output))
})

const alone = writeModules('run')
const args = ['--conditions=@interleave/source']

it.each(onNode)('runs $name on Node', async (module) => {
  await expect(
    run(process.execPath, [...args, path.join(alone, module.path)], { timeout: 60_000 }),
  ).resolves.toBeDefined()
})

it('runs the program of the README as it is', async () => {
  const readme = path.join(folder, 'readme')
  mkdirSync(readme, { recursive: true })
  for (const name of ['README.md 1', 'README.md 2']) {
    const { file = '', code } = moduleNamed(name).block
    writeFileSync(path.join(readme, file), code)
  }

  const { stdout } = await run(process.execPath, [...args, path.join(readme, 'main.ts')])

  expect(stdout).toContain("output: 'Booked for 4 at 20:30. (I am a demo model.)'")
})
