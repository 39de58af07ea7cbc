import { UntrustedText } from '@interleave/react'
import { foreignLink } from '@interleave/react/untrusted'
import { ExternalLink, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { linkedSection } from '../docs/sectionLink.ts'
import { type Block, createBlocks } from './createBlocks.ts'
import { RenderBoundary } from './RenderBoundary.tsx'
import './markdown.css'

/** Shows text of a model without HTML, fetches nothing, and shows the target of each link. */
export const Markdown = memo(function Markdown({ children }: { children: string }) {
  const text = useDeferredValue(children)
  return (
    <div className="markdown">
      <RenderBoundary text={text}>
        <Blocks text={text} />
      </RenderBoundary>
    </div>
  )
})

function Blocks({ text }: { text: string }) {
  const [blocksOf] = useState(createBlocks)
  return blocksOf(text).map((block, index) => (
    <RenderBoundary key={index} text={block.text}>
      <BlockView block={block} />
    </RenderBoundary>
  ))
}

const BlockView = ({ block: { text, isPlain } }: { block: Block }) =>
  isPlain ? <PlainText text={text} /> : <MarkdownBlock text={text} />

const PlainText = ({ text }: { text: string }) => (
  <section className="markdown-plain" aria-label="Plain text">
    <p>This part is shown as plain text: it is too long or too deeply nested to be laid out.</p>
    <div>
      <UntrustedText limit={20_000}>{text}</UntrustedText>
    </div>
  </section>
)

const plugins = [remarkGfm]

const components: Components = {
  img: ({ alt, src }) => <OutsideImage alt={alt ?? ''} address={typeof src === 'string' ? src : ''} />,
  a: ({ href = '', children }) => {
    // Notes at the foot of a text would move the page, whose own address is behind the `#`.
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

/** One part of a Markdown text. It is parsed again only if it changes. */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml urlTransform={keep}>
      {text}
    </ReactMarkdown>
  )
})

/** Addresses are validated where they are shown. */
const keep = (address: string): string => address

interface OutsideLinkProps {
  readonly address: string
  readonly children: ReactNode
}

/**
 * Shows a link that a model wrote, with its host, to which it sends no referrer. An address that is not allowed is
 * shown as text.
 */
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

/** A link within the page. A model may link only to a section of the documentation, which the page can only show. */
const SectionLink = ({ address, children }: OutsideLinkProps) => (
  <a href={address}>
    <bdi>{children}</bdi> <span className="outside-host">documentation</span>
  </a>
)

/** Shows a link in place of an image, since fetching an address that a model wrote could leak data. */
function OutsideImage({ alt, address }: { readonly alt: string; readonly address: string }) {
  return (
    <span className="image-left-out">
      <ImageOff aria-hidden /> <OutsideLink address={address}>Image not loaded{alt ? `: ${alt}` : ''}</OutsideLink>
    </span>
  )
}
