import type { Json } from '@interleave/core'

/** A call, whole. */
export interface TextAction {
  readonly tool: string
  /** A string where the format has one plain input, and parsed JSON otherwise: `null` where nothing was written. */
  readonly input: Json
  /** The model's text, if the input had to be repaired to be JSON. */
  readonly written?: string
}

/** An unreadable call next to readable ones: its text and its problem, worded for the model. */
export interface InvalidCall {
  readonly text: string
  readonly message: string
}

/** An event of a text reader, in the order of the text. */
export type TextEvent =
  /** A delta of the reasoning. */
  | { readonly type: 'thought'; readonly delta: string }
  | ({ readonly type: 'action' } & TextAction)
  | ({ readonly type: 'invalid' } & InvalidCall)
  /** A delta of the final answer. The first marks its beginning, and may be empty. */
  | { readonly type: 'finish'; readonly delta: string }
  /** The problem of a text without a usable step, worded for the model. Comes last, and only after thoughts. */
  | { readonly type: 'problem'; readonly message: string }
