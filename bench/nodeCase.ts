import type { Kit, Subject } from './kit.ts'
import type { Runner } from './runner.ts'
import type { Sample } from './sample.ts'

/** Something that is measured in a process of its own, for one subject at a time. */
export interface NodeCase {
  readonly name: string
  readonly title: string
  /** Only these; all of them, where it names none. */
  readonly subjects?: readonly string[]
  measure(bench: Bench): Promise<readonly Sample[]>
}

export interface Bench {
  readonly subject: Subject
  readonly kit: Kit
  readonly run: Runner
  /** A rough look: less of everything. */
  readonly quick: boolean
}
