import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Use a graph if you know the order of the work beforehand; otherwise let the model decide, with the default backend or a router.':
    [noClaim('Advice on which way to choose.')],
  'A resumed run waits only for the remaining time.': [
    test('packages/core/src/graph/wait.test.ts', 'waits for what is left after a reload'),
  ],
  'After 1,000 `visits` the run asks whether to continue.': [
    constant('packages/core/src/graph/graph.ts', 'visits'),
    test('packages/core/src/graph/graph.test.ts', 'allows a thousand visits by default'),
    test(
      'packages/core/src/graph/graph.test.ts',
      'asks whether to continue after so many visits, and continues from there',
    ),
  ],
  '`parallel` makes a node of several branches, each a step, an agent or a graph, which run concurrently, at most eight (`concurrency`).':
    [
      constant('packages/core/src/graph/parallel.ts', 'concurrency'),
      test('packages/core/src/graph/parallel.test.ts', 'continues with as many branches at a time as it may'),
      test(
        'packages/core/src/graph/parallel.test.ts',
        'runs the branches of a parallel node at the same time, and the next node once',
      ),
    ],
  'Only one branch may talk to the model, since a run has one conversation; `inOwnRun` gives an agent its own run.': [
    test('packages/core/src/graph/parallel.test.ts', 'refuses branches that all think, where they are described'),
    test(
      'packages/core/src/graph/inOwnRun.test.ts',
      'lets agents think at the same time, each in a conversation of its own',
    ),
  ],
  '`graph()` throws one `graph_invalid` that lists all problems.': [
    test('packages/core/src/graph/graph.test.ts', 'tells all faults at once, with what to do about each'),
  ],
  'An interrupted visit is called again with the values that it had, so put what should not happen twice into `run.once`.':
    [
      test('packages/core/src/graph/value.test.ts', 'counts a visit once that is made again'),
      test(
        'packages/core/src/capabilities/questions/openQuestions.test.ts',
        'keeps the results of once for a step across a reload',
      ),
    ],
}
