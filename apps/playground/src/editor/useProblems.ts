import type { Problem } from '@interleave/config'
import { useCallback, useEffect, useState } from 'react'
import { checkFile } from '../agents/checkFile.ts'

/** After the last key, until the file is checked. */
const pauseMs = 250

export interface Problems {
  readonly problems: readonly Problem[]
  /** Checks now, for whoever cannot wait for a pause in the typing. */
  checkNow(): readonly Problem[]
}

/** The mistakes of a file while it is written. */
export function useProblems(file: string): Problems {
  const [problems, tell] = useState(() => checkFile(file))
  useEffect(() => {
    const timer = setTimeout(() => tell(checkFile(file)), pauseMs)
    return () => clearTimeout(timer)
  }, [file])
  const checkNow = useCallback(() => {
    const found = checkFile(file)
    tell(found)
    return found
  }, [file])
  return { problems, checkNow }
}
