import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Names stand for what only code can make; a registry says what they mean.': [
    test('packages/config/src/builtIn/builtIn.test.ts', 'knows all that %s exports for agents to be made of'),
  ],
  'If only developers write your agents, use `agent()`: its types check more.': [
    noClaim('Advice on which way to choose.'),
  ],
  '`loadAgents` throws one `AgentError` with the code `config_invalid`, which lists all mistakes with their lines.': [
    test('packages/config/src/checkConfig.test.ts', 'throws them as one error'),
    test('packages/config/src/checkConfig.test.ts', 'reports all mistakes at once, each with its path and position'),
  ],
  'YAML is version 1.2, so `no` and `2026-01-01` are strings.': [
    test('packages/config/src/readText.test.ts', 'reads YAML 1.2, in which Norway is a text'),
  ],
  'A file may have 250,000 characters.': [
    constant('packages/config/src/readText.ts', 'maxLength'),
    test('packages/config/src/readText.test.ts', 'refuses %s'),
  ],
}
