import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'
import { exempt, inNotebooks, onNode, ownTests } from './howRun.ts'
import { moduleNamed, modules } from './modules.ts'
import { publicNames } from './publicNames.ts'
import { typeErrors } from './typeErrors.ts'

it('type-checks every block of code of every page, under strict', async () => {
  expect(await typeErrors('blocks', modules)).toEqual([])
})

it.each(modules)('$block.page:$block.line parses', ({ names }) => expect(names.problems).toEqual([]))

it('imports what the first code of each page uses of the packages', () => {
  const first = modules.filter(({ name }) => / 1$/.test(name))
  const lacking = first.flatMap(({ block, names }) => {
    const used = [...names.free.keys()].filter((name) => publicNames().has(name))
    return used.length > 0 ? [`${block.page}: ${used.join(', ')}`] : []
  })

  expect(lacking).toEqual([])
})

it('runs every block that is a program, or says why not', () => {
  const run = new Set([...inNotebooks, ...onNode, ...Object.keys(ownTests).map(moduleNamed)])
  const left = modules.filter((module) => module.isProgram && !run.has(module))

  expect(left.map(({ name }) => name)).toEqual(Object.keys(exempt))
  const counts = { blocks: modules.length, typeChecked: modules.length, run: run.size, exempt: left.length }
  console.log('code of the pages:', counts)
})

it.each(Object.entries(ownTests))('%s is a program that %s runs', (name, file) => {
  expect(moduleNamed(name).isProgram).toBe(true)
  expect(readFileSync(path.join(root, file), 'utf8')).toContain(`'${name}'`)
})
