import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'
import { exampleModules } from './modules.ts'
import { typeErrors } from './typeErrors.ts'

const sources = readdirSync(path.join(root, 'packages'))
  .map((name) => `packages/${name}/src`)
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|test-d)\.|\/testing\//.test(file))
const examples = exampleModules(sources)

it('type-checks every @example of the packages, as an editor shows it', async () => {
  expect(await typeErrors('examples', examples)).toEqual([])
  expect(examples.length).toBeGreaterThan(100)
})
