import { budget, type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'It needs `ai` 7.': [
    test('test/docs/install.test.ts', 'names the versions of other libraries that the packages need'),
  ],
  'All of it is 42 kB gzip, with the part of the core that it needs.': [budget('@interleave/ai-sdk')],
}
