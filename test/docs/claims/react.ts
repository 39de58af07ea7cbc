import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`onUnmount` | `detach` (the default): the run continues unseen. `stop`: it stops with the component': [
    test('packages/react/src/useReAct.test.tsx', 'lets the run continue when the component unmounts'),
    test(
      'packages/react/src/useReAct.test.tsx',
      'stops the run when the component unmounts, if that option is set, and not before',
    ),
  ],
  'A component renders only when a field that it reads changes, and while text streams at most once per animation frame.':
    [
      test('packages/react/src/useReAct.test.tsx', 'renders only for the fields that the component reads'),
      test(
        'packages/react/src/useReAct.browser.test.tsx',
        'renders at most once per frame while a thousand deltas stream in',
      ),
    ],
  'The keys 1 to 9 choose.': [
    test(
      'packages/react/src/outlet/heading.test.tsx',
      'has the focus on the title of the next question too, where a number chooses',
    ),
  ],
  'The region is in a closed shadow tree, so your tests do not find an answer twice.': [
    test('packages/react/src/voice/Announcer.test.tsx', 'shows the page nothing of what it says'),
  ],
  'Escape postpones a question and never refuses.': [
    test(
      'packages/react/src/outlet/SignalOutlet.browser.test.tsx',
      'puts the question off by Escape, and opens it again from the button',
    ),
  ],
  'A user who edits the input of an approval reads the prompt of that input next to the button, 300 ms after the last key or when the field is left.':
    [
      constant('packages/react/src/outlet/editedPrompt.ts', 'pauseMs', 'ms'),
      test(
        'packages/react/src/outlet/editedPrompt.test.tsx',
        'shows what is approved next to the button, while the user edits, and in the transcript',
      ),
    ],
  "With `AskProps<'approval', typeof waiter>`, comparing `ask.tool` narrows `ask.input` to the type of the tool, and a reply accepts an input of that type only.":
    [test('packages/react/src/runAsk.test-d.tsx', 'narrows the input of an approval by its tool, and checks an edit')],
  'With shadcn/ui, these eight lines give dialogs, messages and queues the colors of your theme:': [
    test('test/docs/docs.test.ts', '%s shows as many lines as it says: %s'),
    test('packages/react/src/outlet/colors.browser.test.tsx', 'takes the tokens of shadcn as the guide maps them'),
  ],
  'The newest 30 runs of a server (`remoteJournal`) are polled while a list is visible: soon after a run of this browser has new events, and every 15 seconds while nothing changes.':
    [
      constant('packages/connect/src/http/remoteJournal.ts', 'watched'),
      constant('packages/connect/src/http/openServer.ts', 'longestMs', 'seconds'),
      test(
        'packages/connect/src/http/remoteJournal.test.ts',
        'reports changes by other clients of the server until the watch ends',
      ),
    ],
  'A finished message stays the same object, so with `memo` only the last one renders.': [
    test('packages/react/src/useMessages.test.tsx', 'renders a memoised message only while it grows'),
  ],
  'Create it once, outside of components.': [
    test(
      'packages/react/src/heldRun.test.tsx',
      'warns of an agent that is made in each render, and of no other: in %s %d times',
    ),
  ],
  'Use `<Transcript omitQueue />` with it, or the message is shown twice.': [
    test(
      'packages/react/src/transcript/MessageQueue.test.tsx',
      'shows a message once: in the queue until the model gets it, then in the transcript',
    ),
  ],
  'What a provider or a tool said is in `error.message` and, once, in the console.': [
    test(
      'packages/react/src/outlet/FailureAlert.test.tsx',
      'says it in the console once, however many components show it',
    ),
  ],
  '`say`, `reply`, `fork` and `remove` take a run id, retry temporary failures, and take effect once.': [
    test('packages/react/src/history/history.test.tsx', 'tries again what failed for the moment, and does it once'),
  ],
  'For 400 ms after one opens, its buttons take no clicks, since a click may be meant for what was there before.': [
    constant('packages/react/src/outlet/useModal.ts', 'openingMs', 'ms'),
    test(
      'packages/react/src/outlet/AskCard.browser.test.tsx',
      'takes no click on a button before the question could be read',
    ),
    test(
      'packages/react/src/outlet/AskCard.browser.test.tsx',
      'takes no Enter on a button before the question could be read',
    ),
  ],
}
