export type { AgUiOptions } from './events/agUiWriter.ts'
export { agUiEvents, toAgUi } from './events/toAgUi.ts'
export { type AgUiHandlerOptions, agUiHandler } from './handler/agUiHandler.ts'
export type { AgUiEvent } from './protocol.ts'
