import type { UserContent } from '@interleave/core'
import { Component, type ComponentProps, type CSSProperties, type ReactNode } from 'react'
import { UntrustedText } from './untrusted/UntrustedText.tsx'
import { useSay } from './words/words.tsx'

/** Invisible without the style sheet too: the page shows the same words already. */
export const unseen: CSSProperties = {
  position: 'absolute',
  inlineSize: 1,
  blockSize: 1,
  margin: -1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
}

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
export function FailureBox({ title, reason, onRetry, children }: FailureBoxProps): ReactNode {
  const say = useSay()
  return (
    <div role="alert" data-interleave="failure">
      <strong>{title}</strong>
      <p data-interleave="reason">
        <UntrustedText limit={1_000}>{reason}</UntrustedText>
      </p>
      {children}
      <Button part="retry" onClick={onRetry}>
        {say('retry')}
      </Button>
    </div>
  )
}

/** Shows a file: the image at the address, or the name. */
export const FileView = ({
  name,
  address,
}: {
  readonly name: string
  readonly address: string | undefined
}): ReactNode => (address ? <img src={address} alt={name} /> : <UntrustedText limit={80}>{name}</UntrustedText>)

/** Shows the files of a message: images themselves, other files by name. Never loads a file from another address. */
export function FileList({ content }: { readonly content: UserContent }): ReactNode {
  const say = useSay()
  if (typeof content === 'string') return null
  const files = content.filter((part) => part.type === 'file')
  if (files.length === 0) return null
  return (
    <ul data-interleave="files" aria-label={say('files')}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never move.
        <li key={index}>
          <FileView name={file.filename ?? file.mediaType} address={imageOf(file)} />
        </li>
      ))}
    </ul>
  )
}

type FilePart = Extract<Exclude<UserContent, string>[number], { readonly type: 'file' }>

/** Returns an address for an image that the message itself contains. */
function imageOf({ mediaType, data }: FilePart): string | undefined {
  if (!mediaType.startsWith('image') || data.type !== 'data' || typeof data.data !== 'string') return undefined
  const type = mediaType.includes('/') && !mediaType.endsWith('*') ? mediaType : 'image/png'
  return `data:${type};base64,${data.data}`
}

interface ErrorBoundaryProps {
  /** The value that is rendered. When it changes, it is rendered again. */
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
