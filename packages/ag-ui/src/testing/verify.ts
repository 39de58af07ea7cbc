import { AbstractAgent, verifyEvents } from '@ag-ui/client'
import type { BaseEvent, Message } from '@ag-ui/core'
import { EventSchemas } from '@ag-ui/core/schemas'
import { from, lastValueFrom, type Observable, toArray } from 'rxjs'
import type { AgUiEvent } from '../protocol.ts'

/** Validates events against the official schemas and event order. Returns them. */
export async function verified(events: readonly AgUiEvent[]): Promise<readonly AgUiEvent[]> {
  await lastValueFrom(stream(events).pipe(verifyEvents(), toArray()))
  return events
}

const stream = (events: readonly AgUiEvent[]): Observable<BaseEvent> => from(events.map(official))

/** Returns the event if it fits the official schema, and throws otherwise. */
function official(event: unknown): BaseEvent {
  assertOfficial(event)
  return event
}

function assertOfficial(event: unknown): asserts event is BaseEvent {
  EventSchemas.parse(event)
}

/** The official client, with preset events. */
class FedAgent extends AbstractAgent {
  events: readonly AgUiEvent[] = []

  override run(): Observable<BaseEvent> {
    return stream(this.events)
  }
}

/** Returns the messages that the official client has after these events, one run after the other. */
export async function clientMessages(events: readonly AgUiEvent[]): Promise<readonly Message[]> {
  const client = new FedAgent()
  for (const run of runsIn(events)) {
    client.events = run
    // The log has the answers, so the open interrupts do not matter.
    client.pendingInterrupts = []
    await client.runAgent().catch((error: unknown) => {
      if (run.at(-1)?.type !== 'RUN_ERROR') throw error
    })
  }
  return client.messages
}

function runsIn(events: readonly AgUiEvent[]): AgUiEvent[][] {
  const runs: AgUiEvent[][] = []
  for (const event of events) {
    if (event.type === 'RUN_STARTED') runs.push([])
    runs.at(-1)?.push(event)
  }
  return runs
}
