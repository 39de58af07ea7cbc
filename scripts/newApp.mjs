// `npm run new` and `npm run pack`: an app that uses the packages of this clone.

import path from 'node:path'
import process from 'node:process'
import { packApp } from './packApp.mjs'
import { Failure, run, setup } from './toolchain.mjs'
import { satisfies } from './version.mjs'

/** Creates an app as `create-interleave` does, and packs the packages into it. */
export async function newApp(args) {
  const { node } = process.versions
  if (!satisfies(node, '>=22.18.0'))
    throw new Failure(
      `The app needs Node 22.18 or later. This is Node ${node}: install a newer one from https://nodejs.org.`,
    )
  const env = await setup()
  // It is written in TypeScript, for the Node of the app.
  const { main } = await import('../packages/create-interleave/src/main.ts')
  process.chdir(startFolder())
  return main(args, async (app) => {
    await build(env)
    await packApp(env, app)
  })
}

/** Packs the packages into an app that exists. */
export async function pack([app, ...rest]) {
  if (!app || rest.length > 0) throw new Failure('npm run pack -- <the folder of your app>')
  const env = await setup()
  await build(env)
  await packApp(env, path.resolve(startFolder(), app))
  process.stdout.write(`Packed into ${app}. Next, in that folder, install those that you use, such as:\n\n`)
  process.stdout.write('  npm install ./interleave/core.tgz ./interleave/react.tgz\n\n')
  return 0
}

async function build(env) {
  const args = ['run', 'build', '--filter=./packages/*', '--output-logs=errors-only']
  const written = []
  const onOutput = (text) => written.push(text)
  process.stdout.write('Building the packages ...\n')
  if ((await run(env, 'turbo', args, { onOutput })) !== 0) throw new Failure(`The build failed:\n${written.join('')}`)
}

/** The folder that the user ran npm in: npm runs scripts in that of the package. */
const startFolder = () => process.env.INIT_CWD ?? process.cwd()
