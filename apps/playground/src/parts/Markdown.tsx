import { memo } from 'react'
import { blocksOf } from './blocksOf.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'
import './markdown.css'

/** What a model wrote, as text: no HTML, nothing that is fetched, no link that hides where it leads or tells where it came from. */
export const Markdown = memo(function Markdown({ children }: { children: string }) {
  return (
    <div className="markdown">
      {blocksOf(children).map((text, index) => (
        <MarkdownBlock key={index} text={text} />
      ))}
    </div>
  )
})
