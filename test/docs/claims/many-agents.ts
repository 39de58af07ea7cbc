import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'But its limits are checked before its own next turn, so **a child stops only at its own limits**, by default 20 iterations.':
    [
      test('packages/core/src/agents/agentTool.test.ts', 'asks at the top whether a limit below is to be extended'),
      constant('packages/core/src/agents/defaultBackend.ts', 'defaultIterations'),
    ],
  '**Depth** is four levels (`maxDepth`).': [
    constant('packages/core/src/children/child.ts', 'maxDepth'),
    test(
      'packages/core/src/agents/agentTool.test.ts',
      'lets runs nest four levels by default, and tells the agent at the last that it is too deep',
    ),
  ],
  'So a message costs at least two model calls more, of which the agents see nothing; with `handBack: false`, which ends with the first answer, it costs one.':
    [
      test(
        'packages/core/src/agents/route.test.ts',
        'hands the run to one agent after the other, and ends by its own decision',
      ),
      test('packages/core/src/agents/route.test.ts', 'ends with the first answer when agents do not hand back'),
    ],
  'After eight hand-overs per message (`handOvers`) the last answer counts.': [
    constant('packages/core/src/agents/route.ts', 'usualHandOvers'),
    test('packages/core/src/agents/route.test.ts', 'does not hand over for ever'),
  ],
  'A message may take 20 turns (`limits`).': [
    constant('packages/core/src/agents/delegate.ts', 'iterations'),
    test(
      'packages/core/src/agents/delegate.test.ts',
      'tells what an external agent does as events of the run, and asks its questions',
    ),
  ],
  'Silence for two minutes (`idleMs`) fails the turn, unless a user is being asked.': [
    constant('packages/core/src/agents/delegate.ts', 'idleMs', 'minutes'),
    test('packages/core/src/agents/delegate.test.ts', 'gives up what sends nothing, but not while a user is asked'),
  ],
}
