import { type Host, localHost } from '@interleave/core'
import type { McpAuth, WhileUserActs } from './auth.ts'

/** Tracks the renewals of a client's authorization, in which a user may have to consent. */
export class Renewals implements Pick<Host, 'timer'> {
  /** The number of renewals that have succeeded. */
  count = 0
  /** The number of users that act now, and of those that have acted. */
  #acting = 0
  #acted = 0

  async refuse(auth: McpAuth, response: Response, whileUserActs: WhileUserActs): Promise<boolean> {
    const isRenewed = await auth.refuse(response, async (work) => {
      this.#acting++
      try {
        return await whileUserActs(work)
      } finally {
        this.#acting--
        this.#acted++
      }
    })
    if (isRenewed) this.count++
    return isRenewed
  }

  /** Calls back after `ms` in which no user acted, since a user may need more time than the timeout of a server. */
  timer(ms: number, callback: () => void): () => void {
    let cancel = (): void => {}
    const begin = (): void => {
      const acted = this.#acted
      cancel = localHost.timer(ms, () => (this.#acting > 0 || this.#acted > acted ? begin() : callback()))
    }
    begin()
    return () => cancel()
  }
}
