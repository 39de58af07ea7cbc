/** The words before the parts of a step. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/**
 * A segment of the model's text. The `text` of all tokens together is the whole. Plain text may be split anywhere,
 * others not. The reader of tokens decides whether a mark has a meaning at its position, or is ordinary text.
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
