import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'A double click or a held key never answers the next question.': [
    test(
      'packages/react/src/outlet/SignalOutlet.test.tsx',
      'takes the second click of two for no answer to the next question',
    ),
    test(
      'packages/react/src/outlet/AskCard.browser.test.tsx',
      'takes no click on a button before the question could be read',
    ),
  ],
  'Escape postpones a question and never refuses it.': [
    test(
      'packages/react/src/outlet/SignalOutlet.browser.test.tsx',
      'puts the question off by Escape, and opens it again from the button',
    ),
  ],
  '`redacting` and `redactingJournal` know a secret without a known shape only from the first event that names it.': [
    test('packages/core/src/redact/redactor.test.ts', 'looks again at what it knows, once it knows of another secret'),
  ],
  'A strict policy is that of the playground: nothing inline, no `eval`, and connections only to its own server and three providers.':
    [
      test(
        'apps/playground/src/safety/contentPolicy.test.ts',
        'connects to its own server and to the providers, and nowhere else',
      ),
      test(
        'apps/playground/src/safety/contentPolicy.test.ts',
        'neither makes code of text nor takes it from elsewhere: %s',
      ),
    ],
}
