import { Copy } from 'lucide-react'
import { useState } from 'react'

export interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
  /** What to do where the browser does not allow it. */
  readonly otherwise?: string
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ label, text, otherwise = '' }: CopyButtonProps) {
  const [said, say] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      say('Copied')
    } catch {
      say(`The browser does not let this page copy. ${otherwise}`)
    }
  }
  return (
    <>
      <span role="status" className="copy-said">
        {said}
      </span>
      <button type="button" className="button" onClick={() => void copy()}>
        <Copy aria-hidden /> {label}
      </button>
    </>
  )
}
