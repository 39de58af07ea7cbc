import { expect, it } from 'vitest'
import { decodeNamedCharacterReference } from './decodeNamedCharacterReference.ts'
import { trustedPolicy } from './trustedPolicy.ts'

it.each([
  ['lt', '<'],
  ['amp', '&'],
  ['copy', '©'],
  ['nothing', false],
  ['lt;<b', false],
])('says what &%s; stands for', (name, character) => {
  expect(decodeNamedCharacterReference(name)).toBe(character)
})

it('lets nothing through that could do something', () => {
  const { createHTML, createScriptURL } = trustedPolicy()

  for (const html of ['<b>', '&lt;<img src=x>', '&lt', '']) expect(() => createHTML(html)).toThrow('no HTML')
  for (const url of ['https://elsewhere.example/a.js', 'data:text/javascript,1', 'javascript:1'])
    expect(() => createScriptURL(url)).toThrow('only scripts of its own')
  expect(createScriptURL('/assets/run.worker.js')).toBe('/assets/run.worker.js')
})
