import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'

const run = promisify(execFile)

/** Next to the packages that the programs import; ignored by git. */
const folder = path.join(import.meta.dirname, '.generated/compilerErrors')
mkdirSync(folder, { recursive: true })

const start = `
  import { agent, reasonAct } from '@interleave/core'
  import { scriptedModel } from '@interleave/testing'
  const model = scriptedModel()
`
const mistakes = {
  noModel: { code: `agent({ name: 'a' })`, error: /Property 'model' is missing/ },
  backendWithoutModel: { code: `agent({ name: 'a', backend: reasonAct() })`, error: /Property 'model' is missing/ },
  misspelt: { code: `agent({ name: 'a', modle: model })`, error: /Did you mean to write 'model'\?/ },
  unknown: { code: `agent({ name: 'a', model, maxSteps: 5 })`, error: /'maxSteps' does not exist/ },
}

it('names the option that is missing or wrong', async () => {
  for (const [name, { code }] of Object.entries(mistakes))
    writeFileSync(path.join(folder, `${name}.ts`), `${start}\n${code}\n`)
  const config = { extends: '../../../../tsconfig.test.json', compilerOptions: { types: [] }, include: ['*.ts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const failed = run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder])
  const { stdout } = await failed.catch((error: { stdout: string }) => error)

  for (const [name, { error }] of Object.entries(mistakes)) {
    const [, said = ''] = stdout.split(`${name}.ts(`)
    expect(said.split(/\.ts\(/)[0], name).toMatch(error)
  }
})
