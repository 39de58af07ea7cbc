import { UntrustedText } from '@interleave/react'
import { Component, type ReactNode } from 'react'
import './renderBoundary.css'

export interface RenderBoundaryProps {
  readonly children: ReactNode
  /** The content as plain text, if a user asks for it. */
  readonly text?: string
  /** The name of the content that could not be shown; "This" by default. */
  readonly name?: string
  /** A new value renders the content again. */
  readonly of?: unknown
}

interface Broken {
  readonly isBroken: boolean
  readonly isPlain: boolean
  readonly of: unknown
}

/** Confines a rendering error: the rest of the page keeps working. */
export class RenderBoundary extends Component<RenderBoundaryProps, Broken> {
  override state: Broken = { isBroken: false, isPlain: false, of: undefined }

  static getDerivedStateFromError(): Partial<Broken> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ text, of = text }: RenderBoundaryProps, state: Broken): Partial<Broken> | null {
    return of === state.of ? null : { isBroken: false, of }
  }

  override render(): ReactNode {
    const { children, text, name = 'This' } = this.props
    const { isBroken, isPlain } = this.state
    if (!isBroken) return children
    return (
      <div className="not-shown">
        <p>
          {name} could not be shown.
          {text !== undefined && !isPlain && (
            <button type="button" className="button" onClick={() => this.setState({ isPlain: true })}>
              Show as plain text
            </button>
          )}
        </p>
        {text !== undefined && isPlain && (
          <div className="not-shown-text">
            <UntrustedText limit={20_000}>{text}</UntrustedText>
          </div>
        )}
      </div>
    )
  }
}
