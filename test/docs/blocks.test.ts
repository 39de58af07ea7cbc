import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { blocksOf, pages } from './blocksOf.ts'
import { root } from './codeBlocks.ts'
import { type Module, modulesOf } from './moduleOf.ts'
import { namesOf } from './namesOf.ts'
import { tsconfig } from './tsconfig.ts'

const run = promisify(execFile)

/** Beside the packages that the blocks import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/blocks')

const preludeNames = (file: string) => {
  const prelude = path.join(import.meta.dirname, 'preludes', file)
  const { top, exported } = namesOf(file, existsSync(prelude) ? readFileSync(prelude, 'utf8') : '')
  return new Map([...top].filter(([name]) => exported.has(name)))
}

const modules = pages.flatMap((page) => modulesOf(blocksOf(page), preludeNames))

it('type-checks every block of code of every page, under strict', async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const module of modules) {
    const file = path.join(folder, module.path)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, module.text)
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder], { maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  )

  console.log(`${modules.length} blocks, ${modules.length} type-checked`)
  expect(onPages(stdout)).toEqual([])
})

it.each(modules)('$block.page:$block.line parses', ({ names }) => expect(names.problems).toEqual([]))

/** What the compiler says, by the page and the line that a reader sees. */
function onPages(output: string): string[] {
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, file = '', row = '', words = ''] = /^(?:.*\/)?([\w-]+\/\d+\.\w+)\((\d+),\d+\): (.*)$/.exec(line) ?? []
      const module = modules.find((each: Module) => each.path === file)
      return module ? `${module.block.page}:${module.block.line + Number(row) - 2} ${words}` : line
    })
}
