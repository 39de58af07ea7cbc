import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'It loads when you show it, and fills its container, from 320 px up.': [
    test('packages/devtools/src/Devtools.browser.test.tsx', 'is no wider than its container, and draws bars in it'),
  ],
}
