import { Component, type ComponentProps, type ReactNode } from 'react'
import { UntrustedText } from './untrusted/UntrustedText.tsx'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'ref'> {
  /** The name of the button in the style sheet. */
  readonly part?: string
}

/** A button that submits nothing. */
export const Button = ({ part, ...props }: ButtonProps): ReactNode => (
  <button type="button" data-interleave={part} {...props} />
)

interface FailureBoxProps {
  readonly title: string
  readonly reason: string
  readonly onRetry: () => void
  readonly children?: ReactNode
}

/** Shows what failed and why, with a button that tries again. */
export const FailureBox = ({ title, reason, onRetry, children }: FailureBoxProps): ReactNode => (
  <div role="alert" data-interleave="failure">
    <strong>{title}</strong>
    <p data-interleave="reason">
      <UntrustedText limit={1_000}>{reason}</UntrustedText>
    </p>
    {children}
    <Button part="retry" onClick={onRetry}>
      Retry
    </Button>
  </div>
)

/** Shows a file: the image at the address, or the name. */
export const FileView = ({
  name,
  address,
}: {
  readonly name: string
  readonly address: string | undefined
}): ReactNode => (address ? <img src={address} alt={name} /> : <UntrustedText limit={80}>{name}</UntrustedText>)

interface ErrorBoundaryProps {
  /** What is rendered. When it changes, it is rendered again. */
  readonly of: unknown
  readonly fallback: ReactNode
  readonly children: ReactNode
}
interface Rendered {
  readonly of: unknown
  readonly isBroken: boolean
}

/** Contains a render error: it shows `fallback`, and the page continues. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Rendered> {
  override state: Rendered = { of: this.props.of, isBroken: false }

  static getDerivedStateFromError(): Partial<Rendered> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ of }: ErrorBoundaryProps, before: Rendered): Rendered {
    return of === before.of ? before : { of, isBroken: false }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
