import type { Plugin } from 'vite'
import { killPath } from '../kill/Kill.ts'

/** True if the parent of this process kills it on request and starts it again. */
export const isRestarted = (): boolean => process.send !== undefined && process.env.PLAYGROUND_RESTARTS === '1'

/** Lets the page kill its server in the middle of its work, if `npm start` serves it, and only from this machine. */
export function killable(): Plugin {
  return {
    name: 'killable',
    configurePreviewServer({ middlewares, httpServer }) {
      if (!isRestarted()) return
      httpServer.once('listening', () => {
        const address = httpServer.address()
        if (typeof address === 'object') process.send?.({ type: 'listening', port: address?.port })
      })
      middlewares.use(killPath, ({ method, socket }, response) => {
        if (method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end()
        if (!/^(?:::1$|(?:::ffff:)?127\.)/.test(socket.remoteAddress ?? '')) return response.writeHead(403).end()
        response.writeHead(202).end(() => process.send?.({ type: 'kill' }))
      })
    },
  }
}
