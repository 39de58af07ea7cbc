import { memo, useState } from 'react'
import { createBlocks } from './createBlocks.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'
import './markdown.css'

/** What a model wrote, as text: no HTML, nothing that is fetched, no link that hides where it leads or tells where it came from. */
export const Markdown = memo(function Markdown({ children }: { children: string }) {
  const [blocksOf] = useState(createBlocks)
  return (
    <div className="markdown">
      {blocksOf(children).map((text, index) => (
        <MarkdownBlock key={index} text={text} />
      ))}
    </div>
  )
})
