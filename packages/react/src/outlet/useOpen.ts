import type { Ask } from '@interleave/core'
import { useEffect, useRef, useState } from 'react'
import { isTyping } from './isTyping.ts'

export interface OpenOptions {
  readonly open?: boolean | undefined
  readonly onOpenChange?: ((open: boolean) => void) | undefined
}

/** Controls whether questions are shown. A new one opens by itself, unless the user is typing. */
export function useOpen(
  asks: readonly Ask[],
  { open, onOpenChange }: OpenOptions,
): readonly [boolean, (open: boolean) => void] {
  const [own, setOwn] = useState(false)
  const before = useRef<readonly Ask[]>([])
  const isOpen = asks.length > 0 && (open ?? own)

  const setOpen = (next: boolean): void => {
    setOwn(next)
    onOpenChange?.(next)
  }
  useEffect(() => {
    const isNew = asks.some((ask) => !before.current.includes(ask))
    const wasShown = before.current.length > 0
    before.current = asks
    if (isNew && !isTyping()) setOpen(true)
    else if (wasShown && asks.length === 0) setOpen(false)
  })
  return [isOpen, setOpen]
}
