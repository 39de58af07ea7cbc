import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { contentPolicy, contentPolicyHeader, developmentPolicy } from './contentPolicy.ts'

const decoder = fileURLToPath(new URL('decodeNamedCharacterReference.ts', import.meta.url))

const always = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The content security policy of the page: in the built page itself, and as headers of `vite` and `vite preview`. */
export function securityHeaders(): Plugin {
  const nonce = randomBytes(16).toString('base64')
  return {
    name: 'security-headers',
    config: (_, { command, isPreview }) => ({
      resolve: { alias: { 'decode-named-character-reference': decoder } },
      preview: { headers: { ...always, 'Content-Security-Policy': contentPolicyHeader() } },
      ...(command === 'serve' &&
        !isPreview && {
          html: { cspNonce: nonce },
          server: { headers: { ...always, 'Content-Security-Policy': developmentPolicy(nonce) } },
        }),
    }),
    transformIndexHtml: {
      order: 'post',
      handler: (_, { server }) =>
        server
          ? []
          : [
              {
                tag: 'meta',
                attrs: { 'http-equiv': 'Content-Security-Policy', content: contentPolicy() },
                injectTo: 'head-prepend',
              },
              { tag: 'meta', attrs: { name: 'referrer', content: 'no-referrer' }, injectTo: 'head-prepend' },
            ],
    },
  }
}
