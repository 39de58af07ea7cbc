import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ComponentType } from 'react'

/** Something that shows a conversation with a model by React. */
export interface ShowingSubject {
  start(model: LanguageModelV4): Shown
}

/** One conversation that goes on. */
export interface Shown {
  /** Renders the model's text so far. */
  readonly Text: ComponentType<ShownProps>
  /** Shows of the same conversation only whether it goes on. */
  readonly Neighbors: ComponentType<ShownProps>
  /** The whole text, when it is over. */
  readonly finished: Promise<string>
}
export interface ShownProps {
  /** Called with each commit of the component. */
  readonly onCommit: () => void
}
