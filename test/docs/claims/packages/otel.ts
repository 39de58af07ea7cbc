import { budget, type Claims } from '../../proofs.ts'

export const claims: Claims = {
  'It is 8 kB gzip; bring `@opentelemetry/api`, an SDK and an exporter.': [budget('@interleave/otel')],
}
