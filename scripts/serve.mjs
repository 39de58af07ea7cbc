// Serves the built playground. Its page can have the server killed in the middle of its work: it then begins again, at the same port.

import path from 'node:path'
import { root, run } from './toolchain.mjs'

const playground = path.join(root, 'apps', 'playground')

/** Serves until the server ends by itself, and gives its exit status. */
export async function serve(env, args) {
  let port
  for (;;) {
    let isKilled = false
    const isAgain = port !== undefined
    const onMessage = ({ type, port: listening }, child) => {
      if (type === 'listening') port = listening
      if (type !== 'kill') return
      isKilled = true
      child.kill('SIGKILL')
    }
    const status = await run(
      // A browser that was opened is open.
      { ...env, PLAYGROUND_RESTARTS: '1', ...(isAgain && { BROWSER: 'none' }) },
      'vite',
      ['preview', ...args, ...(isAgain ? ['--port', `${port}`, '--strictPort'] : [])],
      { cwd: playground, onMessage },
    )
    if (!isKilled) return status
  }
}
