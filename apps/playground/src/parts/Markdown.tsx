import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import './markdown.css'

const plugins = [remarkGfm]

const components: Components = {
  // An image would be fetched from wherever the model says, and could carry away what the model knows.
  img: ({ alt, src }) => <span className="image-left-out">Image not loaded: {alt || String(src)}</span>,
  a: ({ href, children }) =>
    href?.startsWith('#') ? (
      <a href={href}>{children}</a>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="table-scroller" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
}

/** What a model wrote, as text: no HTML, no images, no links that know where they came from. */
export const Markdown = memo(function Markdown({ children }: { children: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml>
        {children}
      </ReactMarkdown>
    </div>
  )
})
