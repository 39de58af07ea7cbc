import type { Json } from '@interleave/core'

/** An event of a text reader, in the order of the text. */
export type TextEvent =
  /** A delta of the reasoning. */
  | { readonly type: 'thought'; readonly delta: string }
  /**
   * A call, whole. The input is a string where the format has one plain input, and parsed JSON otherwise: `null` where
   * nothing was written. `written` is what the model wrote, where it had to be mended to be JSON.
   */
  | { readonly type: 'action'; readonly tool: string; readonly input: Json; readonly written?: string }
  /** An unreadable call next to readable ones: its text and its problem, worded for the model. */
  | { readonly type: 'invalid'; readonly text: string; readonly message: string }
  /** A delta of the final answer. The first marks its beginning, and may be empty. */
  | { readonly type: 'finish'; readonly delta: string }
  /** The text holds no usable step: what is wrong with it, in words for the model. Comes last, and alone but for thoughts. */
  | { readonly type: 'problem'; readonly message: string }
