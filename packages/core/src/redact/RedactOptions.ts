import type { JsonSchema } from '../schema.ts'

export interface RedactOptions {
  /** Further members that hold secrets, by their names. */
  readonly fields?: readonly (string | RegExp)[]
  /** Further texts that are secrets. The group `secret` names the part that is, where not all of it is one. */
  readonly patterns?: readonly RegExp[]
  /** Schemas of tools: what they mark as `format: 'password'`, `writeOnly` or `sensitive` is secret. Those in the log are read anyway. */
  readonly schemas?: readonly JsonSchema[]
  /** Leaves out what was said to the model, too. */
  readonly prompts?: false
}
