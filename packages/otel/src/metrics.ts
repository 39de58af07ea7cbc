import type { Attributes, Context, Histogram, Meter } from '@opentelemetry/api'

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

const durations = {
  'gen_ai.client.operation.duration': 'GenAI operation duration.',
  'gen_ai.client.operation.time_to_first_chunk': 'Time to receive the first chunk.',
  'gen_ai.execute_tool.duration': 'The duration of a single tool execution.',
  'gen_ai.invoke_agent.duration': 'The duration of a single agent invocation.',
} as const
export type Duration = keyof typeof durations

/** The histograms of the semantic conventions. */
export class Metrics {
  readonly #durations: ReadonlyMap<Duration, Histogram>
  readonly #tokens: Histogram

  constructor(meter: Meter) {
    this.#durations = new Map(
      Object.entries(durations).map(([name, description]) => [
        name as Duration,
        meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: seconds } }),
      ]),
    )
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Number of input and output tokens used.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: tokens },
    })
  }

  recordMs(name: Duration, ms: number, attributes: Attributes, context: Context): void {
    this.#durations.get(name)?.record(Math.max(0, ms) / 1000, attributes, context)
  }

  recordTokens(type: 'input' | 'output', count: number, attributes: Attributes, context: Context): void {
    this.#tokens.record(count, { ...attributes, 'gen_ai.token.type': type }, context)
  }
}
