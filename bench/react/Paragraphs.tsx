import { memo, type ReactNode } from 'react'

/** A text as it is shown everywhere: a paragraph that is finished stays as it was drawn. */
export const Paragraphs = ({ text }: { readonly text: string }): ReactNode => {
  let place = 0
  return text.split('\n\n').map((words) => {
    const key = place
    place += words.length + 2
    return <Paragraph key={key} words={words} />
  })
}

const Paragraph = memo(({ words }: { readonly words: string }) => <p>{words}</p>)
