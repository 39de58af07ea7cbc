import type { Json } from '@interleave/core'

/** What a text reader finds in what a model writes, in the order in which it was written. */
export type TextEvent =
  /** A piece of the reasoning, as it streams. */
  | { readonly type: 'thought'; readonly delta: string }
  /**
   * A call, whole. The input is a string where the format has one plain input, and parsed JSON otherwise: `null` where
   * nothing was written. `written` is what the model wrote, where it had to be mended to be JSON.
   */
  | { readonly type: 'action'; readonly tool: string; readonly input: Json; readonly written?: string }
  /** A call, beside one that can be read, that cannot: what was written, and what is wrong with it, in words for the model. */
  | { readonly type: 'invalid'; readonly text: string; readonly message: string }
  /** A piece of the final answer, as it streams. The first says that the answer begins, and may be empty. */
  | { readonly type: 'finish'; readonly delta: string }
  /** The text holds no usable step: what is wrong with it, in words for the model. Comes last, and alone but for thoughts. */
  | { readonly type: 'complaint'; readonly message: string }
