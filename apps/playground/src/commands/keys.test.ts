import { expect, it } from 'vitest'
import { isLetter, keyCaps, matchesKeys } from './keys.ts'

const pressed = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more })

it('knows its keys', () => {
  expect(matchesKeys(pressed('k', { ctrlKey: true }), 'Mod+K')).toBe(true)
  expect(matchesKeys(pressed('K', { metaKey: true }), 'Mod+K')).toBe(true)
  expect(matchesKeys(pressed('?', { shiftKey: true }), '?')).toBe(true)
  expect(matchesKeys(pressed('F6'), 'F6')).toBe(true)
})

it('takes no others for them', () => {
  expect(matchesKeys(pressed('k'), 'Mod+K')).toBe(false)
  expect(matchesKeys(pressed('n', { ctrlKey: true }), 'N')).toBe(false)
  expect(matchesKeys(pressed('n', { altKey: true }), 'N')).toBe(false)
  expect(matchesKeys(pressed('k', { ctrlKey: true, altKey: true }), 'Mod+K')).toBe(false)
})

it('tells single characters from the rest', () => {
  expect(['N', '/', '?'].every(isLetter)).toBe(true)
  expect(['Mod+K', 'F6'].some(isLetter)).toBe(false)
})

it('shows the keys of the machine', () => {
  expect(keyCaps('Mod+k', true)).toEqual(['⌘', 'K'])
  expect(keyCaps('Mod+k', false)).toEqual(['Ctrl', 'K'])
  expect(keyCaps('/', false)).toEqual(['/'])
})
