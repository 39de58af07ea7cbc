import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

export interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
  /** The advice if the browser does not allow it. */
  readonly otherwise?: string
}

const copied = 'Copied'
const saidMs = 10_000

/** Copies a text to the clipboard, and shows that for a while, since the text may soon change. */
export function CopyButton({ label, text, otherwise = '' }: CopyButtonProps) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said !== copied) return
    const timer = setTimeout(() => setSaid(''), saidMs)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setSaid(copied)
    } catch {
      setSaid(`The browser does not let this page copy. ${otherwise}`)
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
