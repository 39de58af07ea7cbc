export type { TextFormat, TextLabels } from './format.ts'
export { type PrintOptions, printTranscript } from './printTranscript.ts'
export { malformedStep } from './stepCalls.ts'
export type { StepWriter } from './stepWriter.ts'
export type { TextEvent } from './textEvent.ts'
export { textMode, textModeMiddleware } from './textMode.ts'
export type { TextModeOptions } from './textModeSettings.ts'
export { defaultPrompt, type PromptContext, type PromptPart, type TextPrompt } from './textPrompt.ts'
export {
  createTextReader,
  type InvalidCall,
  readText,
  type TextAction,
  type TextReader,
  type TextReaderOptions,
  type TextReading,
} from './textReader.ts'
export type { StepItem } from './transcript.ts'
