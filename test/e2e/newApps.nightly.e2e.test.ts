import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { answers, start } from './newApps/command.ts'
import {
  browser,
  converse,
  create,
  createAndTry,
  dev,
  environment,
  folder,
  inClone,
  inFolder,
  minutes,
  newest,
  pack,
  pickTime,
  templates,
  useNewFolder,
} from './newApps/newFolder.ts'

useNewFolder()

it.each(['vite-react', 'next-app-router', 'cloudflare-worker', 'node-hono'] as const)(
  'creates, installs, tests and builds %s on Node 22, and it answers in Chromium',
  createAndTry,
  minutes,
)

it(
  'installs an app without a network once npm has what it needs',
  async () => {
    await rm(path.join(folder, 'vite-react/node_modules'), { recursive: true })
    await inFolder('npm install --offline', 'vite-react')
    await inFolder('npm test', 'vite-react')
  },
  minutes,
)

it(
  'works with React 18.3, and `create-interleave` as it is packed',
  async () => {
    // As npm runs it, once it is published.
    const bin = path.join(folder, 'create-interleave.tgz')
    await inClone(`npm run x -- pnpm --dir packages/create-interleave pack --out ${bin}`)
    await inFolder(`npx --yes --package ${bin} create-interleave react-18 --template vite-react`)
    await pack('react-18')
    const file = path.join(folder, 'react-18/package.json')
    const manifest = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      manifest
        .replace(/("react(?:-dom)?": )"[^"]+"/g, '$1"18.3.1"')
        .replace(/("@types\/react(?:-dom)?": )"[^"]+"/g, '$1"^18.3.0"'),
    )
    await inFolder('npm install', 'react-18')
    await inFolder('npm run build', 'react-18')
    await converse('react-18', templates['vite-react'])
  },
  minutes,
)

it(
  'answers on the newest Node too, and tells how long a newcomer waits for the first answer',
  async () => {
    const its = await environment(newest)
    const port = await freePort()
    const context = await browser.newContext()
    const began = performance.now()
    await create('first', 'vite-react', its)
    await inFolder('npm install', 'first', its)
    const server = start(dev(port), { cwd: path.join(folder, 'first'), env: its })
    try {
      await answers(`http://localhost:${port}/`, server)
      const page = await context.newPage()
      await page.goto(`http://localhost:${port}/`)
      await page.getByRole('button', { name: 'A table for four, please.' }).click()
      await pickTime(page)
      await page.getByText('Booked for 4 at 20:30.').waitFor()
      console.info(
        `vite-react, Node ${newest}: ${((performance.now() - began) / 1_000).toFixed(1)} s to the first answer`,
      )
    } finally {
      await context.close()
      await server.stop()
    }
  },
  minutes,
)
