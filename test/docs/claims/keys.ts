import { type Claims, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'you, and others use the page | Run the agent on a server. The page has only a session': [
    test('test/e2e/keys.e2e.test.ts', 'row 9: keys of the environment are in no file of a build'),
  ],
  'you, and only you open the page | `createOpenAI({ apiKey })` in the page. Never commit or deploy it': [
    noClaim('Advice: no program sees where a page is deployed.'),
  ],
  'the user | Ask for it, keep it in memory or in a vault, and send it only to the provider': [
    noClaim('Advice on how to treat the key of a user.'),
  ],
  "Only the user's passkey can compute the encryption key (the PRF extension of WebAuthn), so a copy of the disk cannot be read.":
    [
      test(
        'packages/browser/src/vault/keyVault.browser.test.ts',
        'brings keys back on a later visit, by the passkey alone (%s)',
      ),
      test(
        'packages/browser/src/vault/keyVault.browser.test.ts',
        'makes nothing and stores nothing if passkeys cannot encrypt',
      ),
    ],
  'Passkeys belong to a host name: use `localhost` in development, not `127.0.0.1`.': [
    noClaim('It is a rule of WebAuthn, which browsers keep.'),
  ],
}
