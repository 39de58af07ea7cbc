import { CommandQueue, idTaken, pause, type ToolCall } from '@interleave/connect/internal'
import { type Host, isAgentError, type Run } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { isBegunBy } from '@interleave/server/internal'
import type { OpenCommand } from './inboxObject.ts'
import type { Inbox } from './ingress.ts'
import type { LeasedPages } from './leasedPages.ts'
import type { Segment } from './segment.ts'
import { checkPageCommand } from './sentCommand.ts'

export interface CommandsOptions {
  /** True if the run was started here. */
  readonly isNew: boolean
  readonly inbox: Inbox
  readonly leasedPages: LeasedPages
  readonly segment: Segment
  readonly host: Pick<Host, 'timer'>
}

/** Applies the commands to a run that executes here, each once, and reports their results. */
export class Commands {
  readonly #run: Run
  readonly #options: CommandsOptions
  readonly #queue: CommandQueue
  readonly #known = new Map<string, Promise<void>>()

  constructor(run: Run, options: CommandsOptions) {
    this.#run = run
    this.#options = options
    this.#queue = new CommandQueue(() => run.log)
  }

  /** Applies these commands. Rejects if the next owner of the run has to apply one of them. */
  async carryOut(commands: readonly OpenCommand[]): Promise<void> {
    for (const command of commands) {
      if (!this.#known.has(command.id)) this.#known.set(command.id, this.#executeOnce(command))
    }
    await Promise.all(commands.map(({ id }) => this.#known.get(id)))
  }

  async #executeOnce(open: OpenCommand): Promise<void> {
    const { inbox, segment } = this.#options
    const { id, command } = open
    try {
      const toolCall = await this.#apply(open)
      await inbox.done(id, { length: this.#run.state.seq, ...(toolCall && { toolCall }) })
    } catch (error) {
      // It is not done: the next owner of the run applies it.
      const isLost = isAgentError(error) && error.code.startsWith('journal_')
      if (command.type !== 'start' && (isLost || (await segment.isTakenOver()))) throw error
      await inbox.done(id, { failure: toFailure(error, 'step_failed') })
    }
  }

  async #apply({ id, command }: OpenCommand): Promise<ToolCall | undefined> {
    const { leasedPages, segment, isNew } = this.#options
    switch (command.type) {
      case 'start':
        if (!isBegunBy(this.#run.log, command)) throw idTaken(this.#run.id)
        // A client that gets this response does not repeat the start.
        if (isNew) await segment.begun
        return undefined
      case 'lease':
        checkPageCommand(command)
        return leasedPages.acceptPage(this.#run, { id, call: command.call, tool: command.tool })
      case 'result':
        checkPageCommand(command)
        leasedPages.receiveResult(command)
        return undefined
      case 'reply':
        await this.#untilAsked(command.ask)
    }
    await this.#queue.applyCommand(this.#run, command)
    return undefined
  }

  /** Waits for the tool to ask again in a run that has just resumed. The tool can validate the reply best. */
  async #untilAsked(ask: string): Promise<void> {
    const { segment, host } = this.#options
    const isOfCall = this.#run.state.asks.some(({ id, call }) => id === ask && call !== undefined)
    for (let left = 200; isOfCall && left > 0 && !segment.waits(ask); left--) await pause(host, 5)
  }
}
