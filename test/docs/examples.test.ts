import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'
import { exampleModules, writeModules } from './modules.ts'
import { tsconfig } from './tsconfig.ts'

const run = promisify(execFile)
const sources = readdirSync(path.join(root, 'packages'))
  .map((name) => `packages/${name}/src`)
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|test-d)\.|\/testing\//.test(file))
const examples = exampleModules(sources)

it('type-checks every @example of the packages, as an editor shows it', async () => {
  const folder = writeModules('examples', examples)
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))

  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['--noEmit', '--pretty', 'false', '-p', folder], { maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  )

  expect(inSources(stdout)).toEqual([])
  expect(examples.length).toBeGreaterThan(100)
})

/** Converts the compiler's output to the file and the line of the example. */
const inSources = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => {
      const [, file = '', words = ''] = /^(?:.*\/)?([\w-]+\/\d+\.\w+)\(\d+,\d+\): (.*)$/.exec(line) ?? []
      const found = examples.find((each) => each.path === file)
      return found ? `${found.block.page}:${found.block.line}: ${words}` : line
    })
