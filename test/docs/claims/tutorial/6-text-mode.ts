import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'After three in a row the run fails.': [
    test('packages/text/src/textMode.test.ts', 'fails after three malformed steps in a row, and resumes from there'),
  ],
}
