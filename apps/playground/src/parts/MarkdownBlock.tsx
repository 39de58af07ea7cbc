import { foreignLink } from '@interleave/react'
import { ExternalLink, ImageOff } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { linkedSection } from '../docs/sectionLink.ts'

const plugins = [remarkGfm]

const components: Components = {
  img: ({ alt, src }) => <OutsideImage alt={alt ?? ''} address={typeof src === 'string' ? src : ''} />,
  a: ({ href = '', children }) => {
    // Notes at the foot of a text would move the page, whose own address stands behind the `#`.
    if (href.startsWith('#user-content-')) return <sup>{children}</sup>
    return linkedSection(href) === undefined ? (
      <OutsideLink address={href}>{children}</OutsideLink>
    ) : (
      <SectionLink address={href}>{children}</SectionLink>
    )
  },
  section: ({ children }) => <section>{children}</section>,
  h2: ({ children, id }) => (id === 'footnote-label' ? null : <h2>{children}</h2>),
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  table: ({ children }) => (
    // A landmark would have the same name as that of the next table.
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <div className="table-scroller" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
}

/** One part of a Markdown text. Read anew only when it is another one. */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml urlTransform={keep}>
      {text}
    </ReactMarkdown>
  )
})

/** Addresses are looked at where they are shown. */
const keep = (address: string): string => address

interface OutsideLinkProps {
  readonly address: string
  readonly children: ReactNode
}

/** A link that a model wrote. Says which host it leads to, and tells that host nothing of this page. What may be no link is text. */
function OutsideLink({ address, children }: OutsideLinkProps) {
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
const SectionLink = ({ address, children }: OutsideLinkProps) => (
  <a href={address}>
    <bdi>{children}</bdi> <span className="outside-host">documentation</span>
  </a>
)

/** An image is fetched from wherever the model says, and could carry away what the model knows: the page never does, a click opens it elsewhere. */
function OutsideImage({ alt, address }: { readonly alt: string; readonly address: string }) {
  return (
    <span className="image-left-out">
      <ImageOff aria-hidden /> <OutsideLink address={address}>Image not loaded{alt ? `: ${alt}` : ''}</OutsideLink>
    </span>
  )
}
