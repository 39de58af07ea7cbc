import { useEffect } from 'react'
import { commands } from '../commands/index.ts'
import { listenForKeys } from '../commands/listenForKeys.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Has keys do what commands say for as long as the page is there. */
export function useShortcuts(): void {
  const playground = usePlayground()
  useEffect(() => listenForKeys(playground, commands), [playground])
}
