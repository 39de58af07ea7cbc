import { budget, type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'A middleware writes the prompt, reads thoughts, calls and answers from the stream, and does not run what the model only quotes.':
    [
      test(
        'packages/text/src/textReader.test.ts',
        'does not act in %s on what is in a fence that something follows: %j',
      ),
    ],
  'It is 33 kB gzip, with the part of the core that it needs.': [budget('@interleave/text')],
}
