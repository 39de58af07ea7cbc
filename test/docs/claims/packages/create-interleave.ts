import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  '`--overwrite` replaces files in a directory that is not empty; `--no-interactive` asks nothing, which is the default in CI.':
    [
      test('packages/create-interleave/src/main.test.ts', 'overwrites files of the same name alone'),
      test('packages/create-interleave/src/askChoices.test.ts', 'asks nothing that the command line says'),
    ],
}
