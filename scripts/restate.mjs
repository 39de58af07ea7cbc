// `npm run demo:restate`: the playground with its runs on Restate, on this machine.

import path from 'node:path'
import { root, run, setup } from './toolchain.mjs'

const demo = path.join(root, 'apps', 'playground', 'src', 'server', 'restate', 'demo.ts')

export const restate = async () => run(await setup(), 'node', [demo])
