import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './Icon.tsx'

/** Puts a text into the clipboard, and says whether it did. */
export function CopyButton({ label, text }: { label: string; text: () => string }): ReactNode {
  const [said, say] = useState('')
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => say(''), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      say('Copied')
    } catch {
      say('Could not copy')
    }
  }
  return (
    <button type="button" data-part="button" data-quiet title={label} onClick={() => void copy()}>
      <Icon name="copy" />
      <span data-part="hidden">{label}</span>
      <span role="status">{said}</span>
    </button>
  )
}
