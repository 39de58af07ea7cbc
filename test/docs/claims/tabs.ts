import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'is closed, reloaded, crashes, navigates away | another tab resumes the run | within a tenth of a second': [
    test('test/docs/docs.test.ts', 'says of time only what the benchmarks measured'),
    test('packages/connect/src/tabs/acrossTabs.browser.test.ts', 'is taken over when its tab is gone'),
  ],
  'is frozen, or hangs | another tab takes over | after `takeoverAfterMs`, four seconds by default': [
    constant('packages/connect/src/tabs/acrossTabs.ts', 'takeoverAfterMs', 'seconds'),
    test(
      'packages/connect/src/tabs/acrossTabs.test.ts',
      'is taken from a tab that is frozen, which follows when it wakes',
    ),
  ],
  'calls `run.close()` | same as a closed tab; the run settles with `stopped` in that tab | immediately': [
    test('packages/connect/src/tabs/acrossTabs.test.ts', 'releases it in one tab, and another one continues'),
  ],
  'Only the owner can write or start a tool.': [
    test('packages/connect/src/tabs/wokenOwner.test.ts', 'starts no tool when it wakes and another tab has continued'),
    test('packages/core/src/log/log.test.ts', 'stops one of two owners of a run'),
  ],
  'If two tabs answer the same question at once, the first answer counts: the other tab gets `ask_unknown`, unless its answer is the same.':
    [
      test('packages/connect/src/owner.test.ts', 'takes one of two replies at once'),
      test('packages/connect/src/owner.test.ts', 'takes the same reply again for done'),
    ],
  'A tab that wakes up may have shown events that were never persisted.': [
    test(
      'packages/connect/src/tabs/lateTabs.test.ts',
      'shows in every tab what is kept, also what its owner did not come to tell',
    ),
    test('packages/core/src/log/feed.test.ts', 'takes back what was not kept, and has the state without it'),
  ],
  "is gone, and the run cannot be resumed, as when the site's data was cleared | each tab shows why, and none owns it; the next command tries again | at once, or after 15 seconds of failing reads":
    [
      test(
        'packages/connect/src/tabs/unresumable.test.ts',
        'shows in each tab that the run was deleted, once, and no one owns it',
      ),
      test(
        'packages/connect/src/tabs/unresumable.test.ts',
        'is resumed by the tab whose user tries again, and followed by the other',
      ),
    ],
  'Browsers slow the timers of a hidden page to one a minute.': [
    noClaim('It says what browsers do with timers of hidden pages.'),
  ],
  'Elsewhere, and in a sandboxed frame, `start` and `resume` fail with `options_invalid`.': [
    test('packages/connect/src/tabs/unusable.test.ts', 'says at the start and on resume that the browser denies locks'),
    test(
      'packages/connect/src/tabs/origin.browser.test.ts',
      'says that tabs cannot share runs where the browser denies channels, and leaves no listener',
    ),
  ],
  'Call `acrossTabs` once per agent, outside of components.': [noClaim('Advice on where to write the call.')],
  '`say`, `reply`, `stop` and `resume` are carried out by the owner, once, also if its tab closes meanwhile.': [
    test('packages/connect/src/tabs/acrossTabs.test.ts', 'is stopped from another tab'),
    test('packages/connect/src/tabs/acrossTabs.test.ts', 'does what was asked of a tab that died before it could'),
    test(
      'packages/connect/src/tabs/acrossTabs.test.ts',
      'asks the tab that takes over for what the one before did not do',
    ),
  ],
}
