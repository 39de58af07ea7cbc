import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runtimes } from '../processes/installedRuntime.ts'
import { createAndTry, folder, inFolder, minutes, pack, root, useNewFolder } from './newApps/newFolder.ts'

useNewFolder()

it(
  'creates, installs, tests and builds an app on Node 22, and it answers in Chromium',
  () => createAndTry('vite-react'),
  minutes,
)

it(
  'runs the program of the README on Node, Bun and Deno',
  async () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
    const files = [...readme.matchAll(/^```ts\n(\/\/ (\w+\.ts)\n[\s\S]*?)^```/gm)]
    await inFolder('mkdir program')
    for (const [, program = '', name = ''] of files) writeFileSync(path.join(folder, 'program', name), program)
    await inFolder('npm init --yes', 'program')
    await inFolder('npm pkg set type=module', 'program')
    await pack('program')
    await inFolder(/`(npm install [^`]*core[^`]+)`/.exec(readme)?.[1] ?? '', 'program')
    await inFolder(`npm install bun@${runtimes.bun} deno@${runtimes.deno}`, 'program')

    for (const command of ['node', 'npx bun', 'npx deno run --allow-env'])
      expect(await inFolder(`${command} main.ts`, 'program'), command).toContain('Booked for 4 at 20:30.')
  },
  minutes,
)
