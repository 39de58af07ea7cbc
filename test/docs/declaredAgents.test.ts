import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { tool } from '@interleave/core'
import { checkConfig, configSchema, editConfig, formatConfig, parseConfig, registry } from '@interleave/core/config'
import { scriptedModel } from '@interleave/core/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { cellsOf } from './cellsOf.ts'
import { codeBlocks, root } from './codeBlocks.ts'

const run = promisify(execFile)
const page = 'docs/declared-agents.md'
const folder = path.join(import.meta.dirname, '.generated/declared')
mkdirSync(folder, { recursive: true })

const model = scriptedModel()
const known = registry({
  models: { fast: model, careful: model, local: model },
  tools: { search: tool({ inputSchema: z.object({}) }) },
  functions: { fewStops: () => undefined, goodEnough: () => 'END' },
})

it.each(codeBlocks(page, 'yaml'))('loads what the page declares: %#', (text) => {
  const config = parseConfig(text)
  const schema = z.fromJSONSchema(configSchema(known) as never, { defaultTarget: 'draft-7' })

  expect(checkConfig(text, known)).toEqual([])
  expect(schema.safeParse(config).error).toBeUndefined()
  expect(parseConfig(formatConfig(config))).toEqual(config)
  expect(parseConfig(editConfig(text, { ...config, agents: {} }))).toEqual({ ...config, agents: {} })
})

const cells = cellsOf(readFileSync(path.join(root, page), 'utf8'))

it.each(cells.map((cell, index) => ({ ...cell, index })))(
  'prints what the page says: $index',
  async (cell) => {
    const file = path.join(folder, `${cell.index}.mts`)
    writeFileSync(file, `${cell.code}\nexport {}\n`)

    const { stdout } = await run(process.execPath, ['--conditions=@interleave/source', file])

    expect(stdout.trim()).toBe(cell.output)
  },
  30_000,
)

it('has programs that compile', async () => {
  const config = { extends: '../../../../tsconfig.test.json', compilerOptions: { types: ['node'] }, include: ['*.mts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
}, 60_000)
