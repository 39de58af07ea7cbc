import { type Host, localHost } from '@interleave/core'
import type { McpAuth } from './auth.ts'

/** Tracks the renewals of a client's authorization, in which a user may have to consent. */
export class Renewals implements Pick<Host, 'timer'> {
  /** The number of renewals that have succeeded. */
  count = 0
  #pending = 0

  async refuse(auth: McpAuth, response: Response): Promise<boolean> {
    this.#pending++
    try {
      const isRenewed = await auth.refuse(response)
      if (isRenewed) this.count++
      return isRenewed
    } finally {
      this.#pending--
    }
  }

  /** Calls back after `ms` without a renewal, since a user may need more time than the timeout of a server. */
  timer(ms: number, callback: () => void): () => void {
    let cancel = (): void => {}
    const begin = (): void => {
      const { count } = this
      cancel = localHost.timer(ms, () => (this.#pending > 0 || this.count > count ? begin() : callback()))
    }
    begin()
    return () => cancel()
  }
}
