import { remoteAgent } from '@interleave/connect/http'
import type { waiter as Waiter } from './waiter.ts'

/** Each browser is a user of its own. Replace this with your sign-in, here and in `authorize`. */
const visitor = (): string => (localStorage.visitor ??= crypto.getRandomValues(new BigUint64Array(2)).join('-'))

/** The agent of the server, for the page. */
export const waiter = remoteAgent<typeof Waiter>({
  url: '/api',
  name: 'waiter',
  headers: () => ({ authorization: visitor() }),
})
