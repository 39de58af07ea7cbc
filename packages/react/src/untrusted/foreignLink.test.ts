import { expect, it } from 'vitest'
import { foreignLink } from './addresses.ts'

it.each([
  ['https://example.com/a?b#c', 'https://example.com/a?b#c', 'example.com'],
  ['HTTP://Example.com:8080', 'http://example.com:8080/', 'example.com:8080'],
  ['https://\u0430pple.com', 'https://xn--pple-43d.com/', 'xn--pple-43d.com'],
  ['https://\u202egro.elpmaxe\u202c.example/', undefined, undefined],
  ['mailto:ada@example.com', 'mailto:ada@example.com', 'ada@example.com'],
])('shows where %s leads', (address, href, target) => {
  expect(foreignLink(address)).toEqual(href === undefined ? undefined : { href, target })
})

it.each([
  'https://good.com@evil.com',
  'https:good.com@evil.com',
  'https:good.com',
  'http://www.good.com@evil.com',
  'https://user:pass@evil.com/',
  'mailto:ada@example.com?bcc=eve@evil.com&body=secret',
  'mailto:ada@example.com#x',
  'mailto:ada@example.com,eve@evil.com',
  'mailto:ada@example.com%2Ceve@evil.com',
  'mailto:',
  '#/tools/a/b',
  '/path',
  'page.html',
  '//evil.com',
  '\\\\evil.com',
  'javascript:alert(1)',
  'data:text/html,a',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  '',
  `https://example.com/${'a'.repeat(5_000)}`,
])('makes no link of %s', (address) => {
  expect(foreignLink(address)).toBeUndefined()
})
