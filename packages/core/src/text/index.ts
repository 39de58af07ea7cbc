export { type PrintOptions, printTranscript } from './printTranscript.ts'
export { textMode, textModeMiddleware } from './textMode.ts'
export type { TextModeOptions } from './textModeSettings.ts'
