import { UntrustedText } from '@interleave/react'
import { memo, useDeferredValue, useState } from 'react'
import { type Block, createBlocks } from './createBlocks.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'
import { RenderBoundary } from './RenderBoundary.tsx'
import './markdown.css'

/** Shows text of a model without HTML, without anything that is fetched, and with no link that hides its target. */
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
