/** The words before the parts of a step. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/**
 * A piece of what the model wrote. Together, the `text` of all tokens is the whole. Plain text may be cut anywhere; the
 * others are whole. Who reads tokens decides whether a mark means something at its place, or is text like any other.
 */
export type Token =
  | { readonly type: 'text'; readonly text: string }
  /** `Action 2:` at the beginning of a line. */
  | { readonly type: 'label'; readonly label: Label; readonly text: string }
  /** Three backticks, or three tildes at the beginning of a line. More of them, and the word behind them, follow as text. */
  | { readonly type: 'fence'; readonly text: string; readonly beginsLine: boolean }
  /** A brace or bracket that opens, at the beginning of a line or right behind a label. */
  | { readonly type: 'open'; readonly text: string }
  /** One of the tags of the dialect, such as `<command>`. */
  | { readonly type: 'tag'; readonly text: string }

export type TakeToken = (token: Token) => void
