export type { ContentOptions } from './content.ts'
export { type ExportTraceOptions, exportTrace, type TraceIds, traceIds } from './exportTrace.ts'
export { type OtelOptions, otel, type Telemetry } from './otel.ts'
