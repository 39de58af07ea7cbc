import type { Ask } from '@interleave/core'
import { Component, type ReactNode } from 'react'
import { plainJson } from '../untrusted/piecesOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'

export interface AskBoundaryProps {
  readonly ask: Ask
  readonly titleId: string
  readonly children: ReactNode
}

interface Broken {
  readonly isBroken: boolean
}

/**
 * Contains a render error of a question within its dialog: the page continues, and the user can still read or postpone
 * the question.
 */
export class AskBoundary extends Component<AskBoundaryProps, Broken> {
  override state: Broken = { isBroken: false }

  static getDerivedStateFromError(): Broken {
    return { isBroken: true }
  }

  override render(): ReactNode {
    const { ask, titleId, children } = this.props
    if (!this.state.isBroken) return children
    return (
      <div data-interleave="body">
        <h2 id={titleId}>
          <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>
        </h2>
        <p role="alert" data-interleave="problem">
          The form of this question could not be shown.
        </p>
        <details>
          <summary>Show the question as plain text</summary>
          <UntrustedText>{plainJson(ask)}</UntrustedText>
        </details>
      </div>
    )
  }
}
