/** An expression whose pattern is put together while the program runs. */
interface DynamicExpression {
  readonly file: string
  /** The parts of the pattern, and the reason why it is linear. */
  readonly reason: string
}

export const dynamicExpressions: readonly DynamicExpression[] = [
  { file: 'apps/playground/src/editor/RunFields.tsx', reason: 'Anchored; the field is one of three names.' },
  { file: 'apps/playground/src/models/demoPlanner/mention.ts', reason: 'A list of words.' },
  {
    file: 'apps/playground/src/models/demoPlanner/names.ts',
    reason: 'A word of a list, blanks and one word, in at most 2,000 characters.',
  },
  { file: 'apps/playground/src/models/demoPlanner/tokenise.ts', reason: 'One text, escaped.' },
  { file: 'apps/playground/src/models/demoPlanner/units.ts', reason: 'Lists of words.' },
  {
    file: 'packages/core/src/jsonSchema/pattern.ts',
    reason: 'A pattern of a schema, only to see whether it is valid.',
  },
  { file: 'packages/core/src/jsonSchema/pattern.ts', reason: 'The same, with other flags.' },
  { file: 'packages/core/src/jsonSchema/pattern.ts', reason: 'One class or escape, for one character.' },
  {
    file: 'packages/core/src/redact/redact.ts',
    reason: 'The patterns that a developer gives, with other flags.',
  },
  { file: 'packages/core/src/redact/redact.ts', reason: 'The same for names of members.' },
  {
    file: 'packages/react/src/untrusted/hosts.ts',
    reason: 'Anchored; each alternative reads the label once or twice.',
  },
  { file: 'packages/server/src/routes.ts', reason: 'The paths of the routes; `{id}` is `[^/]+`.' },
  {
    file: 'packages/text/src/read/quotes.ts',
    reason: 'Anchored at the begin of one line: bounded marks, then escaped words.',
  },
  { file: 'packages/text/src/textCall.ts', reason: 'Escaped labels with bounded blanks at the begin of a line.' },
]
