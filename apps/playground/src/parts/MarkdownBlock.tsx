import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { linkedSection } from '../docs/sectionLink.ts'
import { OutsideImage, OutsideLink, SectionLink } from './OutsideLink.tsx'

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
