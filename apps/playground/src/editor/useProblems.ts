import type { Problem } from '@interleave/config'
import { useCallback, useEffect, useState } from 'react'
import { checkFile } from '../agents/checkFile.ts'

/** After the last key, until the file is checked. */
const pauseMs = 250

export interface Problems {
  readonly problems: readonly Problem[]
  /** Checks now, without waiting for a pause in the typing. */
  checkNow(): readonly Problem[]
}

/** The mistakes of a file while it is written. */
export function useProblems(file: string): Problems {
  const [problems, setProblems] = useState(() => checkFile(file))
  useEffect(() => {
    const timer = setTimeout(() => setProblems(checkFile(file)), pauseMs)
    return () => clearTimeout(timer)
  }, [file])
  const checkNow = useCallback(() => {
    const found = checkFile(file)
    setProblems(found)
    return found
  }, [file])
  return { problems, checkNow }
}

/** Returns the start and the end of a line in a text; lines count from 1. */
export function rangeOfLine(text: string, line: number): readonly [number, number] {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0)
  return [Math.min(start, text.length), Math.min(start + (lines[line - 1]?.length ?? 0), text.length)]
}
