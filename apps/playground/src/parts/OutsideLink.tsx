import { hostOf } from '@interleave/react'
import { ExternalLink, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'

export interface OutsideLinkProps {
  readonly address: string
  readonly children: ReactNode
}

/** A link that a model wrote. Says which host it leads to, and tells that host nothing of this page. Other schemes than the web's and mail are text. */
export function OutsideLink({ address, children }: OutsideLinkProps) {
  const place = placeOf(address)
  if (place === undefined) return children
  return (
    <a className="outside" href={address} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children}</bdi> <span className="outside-host">{place}</span>
      <ExternalLink aria-label="(opens a new tab)" />
    </a>
  )
}

/** An image is fetched from wherever the model says, and could carry away what the model knows: the page never does, a click opens it elsewhere. */
export function OutsideImage({ alt, address }: { readonly alt: string; readonly address: string }) {
  return (
    <span className="image-left-out">
      <ImageOff aria-hidden /> <OutsideLink address={address}>Image not loaded{alt ? `: ${alt}` : ''}</OutsideLink>
    </span>
  )
}

/** Where an address leads, in letters that cannot be mistaken. */
function placeOf(address: string): string | undefined {
  if (/^mailto:/i.test(address)) return address.slice('mailto:'.length).split('?')[0]
  const isWeb = /^(?:https?:)?[\\/]{2}/i.test(address)
  return isWeb ? hostOf(address) || undefined : undefined
}
