import { folded } from '@interleave/core/internal'

const limits = '`limits` of reasonAct: { iterations, tokens, cost, toolCalls, ms }'
const settings = '`think: { settings: … }` of reasonAct'
const labels = '`model: { textMode: { model: …, labels: { thought, action, observation } } }`'

/** Field names of other frameworks, and ours. */
const places: ReadonlyMap<string, string> = new Map([
  ['maxiterations', limits],
  ['maxsteps', limits],
  ['maxturns', limits],
  ['timeout', limits],
  ['timeoutseconds', limits],
  ['temperature', settings],
  ['maxtokens', settings],
  ['systemprompt', '`instructions`'],
  ['system', '`instructions`'],
  ['prompt', '`instructions`'],
  ['outputschema', '`output`'],
  ['fallbacks', 'a list in `model`'],
  ['stopwhen', '`stop` of reasonAct'],
  ['terminationstrategy', '`stop` of reasonAct: onFinalAnswer, onConfidence, or inOrder with both'],
  ['confidencethreshold', '`stop: { onConfidence: { threshold: … } }` of reasonAct'],
  ['finalanswertoolname', '`stop: { onFinalAnswer: { name: … } }` of reasonAct'],
  ['autocompactinworkflow', '`before: [{ compact: … }]` of reasonAct'],
  ['compactthresholdratio', '`before: [{ compact: { ratio: … } }]` of reasonAct'],
  ['reasoningprefix', labels],
  ['actionprefix', labels],
  ['observationprefix', labels],
  ['<<', 'not read: YAML 1.2 merges no maps. Repeat the fields, or use an alias for a whole value'],
  ['maxconsecutivethoughts', '`before: [{ forceAction: { after: … } }]` of reasonAct'],
])

/** A hint for who knows another framework. */
export const elsewhere = (field: string): string | undefined => places.get(folded(field))
