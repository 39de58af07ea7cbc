import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees all memory that nothing refers to. */
export function freeMemory(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
