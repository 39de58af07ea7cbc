import { foreignLink } from '@interleave/react'
import { ExternalLink, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'

export interface OutsideLinkProps {
  readonly address: string
  readonly children: ReactNode
}

/** A link that a model wrote. Says which host it leads to, and tells that host nothing of this page. What may be no link is text. */
export function OutsideLink({ address, children }: OutsideLinkProps) {
  const link = foreignLink(address)
  if (link === undefined) return children
  return (
    <a className="outside" href={link.href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children}</bdi> <span className="outside-host">{link.target}</span>
      <ExternalLink aria-label="(opens a new tab)" />
    </a>
  )
}

/** The only place within the page that a model may lead to: a section of the documentation, which it can only show. */
export const SectionLink = ({ address, children }: OutsideLinkProps) => (
  <a href={address}>
    <bdi>{children}</bdi> <span className="outside-host">documentation</span>
  </a>
)

/** An image is fetched from wherever the model says, and could carry away what the model knows: the page never does, a click opens it elsewhere. */
export function OutsideImage({ alt, address }: { readonly alt: string; readonly address: string }) {
  return (
    <span className="image-left-out">
      <ImageOff aria-hidden /> <OutsideLink address={address}>Image not loaded{alt ? `: ${alt}` : ''}</OutsideLink>
    </span>
  )
}
