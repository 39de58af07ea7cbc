import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'Its model accepts 1,000 tokens, so the third page is too much.': [
    test('test/docs/programs.nightly.test.ts', 'prints what $name says'),
  ],
}
