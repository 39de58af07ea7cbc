import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`useFiles` takes `maxBytes` (10 MB for all files of a message) and `maxFiles` (10).': [
    constant('packages/react/src/files/useFiles.ts', 'maxBytes', 'MB'),
    constant('packages/react/src/files/useFiles.ts', 'maxFiles'),
  ],
  "Photos (JPEG, PNG, WebP) with more than 2 MB or 4,096 pixels are shrunk before they are sent, since a camera's image costs many tokens, and more storage than the rest of the run.":
    [
      constant('packages/react/src/files/shrinkImage.ts', 'bytes', 'MB'),
      constant('packages/react/src/files/shrinkImage.ts', 'side'),
      test('packages/react/src/files/shrinkImage.browser.test.tsx', 'shrinks a large photo of the type %s'),
      test(
        'packages/react/src/files/shrinkImage.browser.test.tsx',
        'shrinks a photo of many pixels and few bytes, and keeps it upright',
      ),
    ],
  'a request to a server | 14 MB, so 10 MB of files, which is `maxBytes` of `useFiles`. Raise it together with `limits: { bodyBytes }` of `createHandler`, and with the limit of a proxy (1 MB in nginx: `client_max_body_size`)':
    [
      constant('packages/server/src/handlerOptions.ts', 'bodyBytes', 'MB'),
      constant('packages/react/src/files/useFiles.ts', 'maxBytes', 'MB'),
      test(
        'packages/react/src/files/useFiles.test.tsx',
        'says which file makes a message larger than a server accepts, and sends the others',
      ),
    ],
  "a tool's input | 65,536 characters: pass an id or an address, not the file": [
    constant('packages/core/src/json.ts', 'usualLength'),
  ],
  'Upload large files first, and send the address: the log then contains only that.': [
    test('packages/core/src/prompt.test.ts', 'gives addresses as URL objects, though the log keeps them as text'),
    test('packages/core/src/capabilities/file/file.test.ts', 'gives the model a file that is made of %s'),
  ],
}
