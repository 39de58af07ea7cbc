import { expect, it } from 'vitest'
import { contentPolicy, contentPolicyHeader, developmentPolicy } from './contentPolicy.ts'

it.each([
  ['the page', contentPolicy()],
  ['the header', contentPolicyHeader()],
  ['development', developmentPolicy('once')],
])('neither makes code of text nor takes it from elsewhere: %s', (_, policy) => {
  const others = policy.replace('frame-src http://127.0.0.1:*; ', '')
  expect(others).not.toMatch(/unsafe|\*|(script|style|img|font)-src[^;]*http/)
  expect(policy).toContain("require-trusted-types-for 'script'")
})

it('connects to its own server and to the providers, and nowhere else', () => {
  const [, connect] = /connect-src ([^;]*)/.exec(contentPolicy()) ?? []

  expect(connect?.split(' ')).toEqual([
    "'self'",
    'https://api.openai.com',
    'https://api.anthropic.com',
    'https://generativelanguage.googleapis.com',
  ])
})
