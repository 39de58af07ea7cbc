import { cloudUrls } from '../models/connections.ts'

/** The addresses that the page may connect to besides its own server, which forwards to local models. */
const providers = Object.values(cloudUrls).map((url) => new URL(url).origin)

const strict: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // Pictures of the page itself. One that a model names is never fetched by the page.
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'", ...providers],
  // Its own workers, and the one by which timers of a hidden tab are on time.
  // The sandbox of apps, which has an origin of its own: another port of this machine.
  'frame-src': ['http://127.0.0.1:*'],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  // The first checks addresses of the page's own workers, the other belongs to the worker of timers.
  'trusted-types': ['playground', 'interleave'],
}

/** Returns the policy for the page itself, so that it applies on any server. */
export const contentPolicy = (): string => write(strict)

/** The policy as a header: only a header can forbid frames. */
export const contentPolicyHeader = (): string => write({ ...strict, 'frame-ancestors': ["'none'"] })

/** For development: Vite's client puts styles and React's refresh inline, and talks to its server by a socket. */
export const developmentPolicy = (nonce: string): string =>
  write({
    ...strict,
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'connect-src': [...(strict['connect-src'] ?? []), 'ws:'],
    'frame-ancestors': ["'none'"],
  })

const write = (policy: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(policy)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
