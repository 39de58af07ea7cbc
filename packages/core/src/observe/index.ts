export { type DebugBundle, type Recorder, recorder } from './recorder.ts'
export { type Replay, replay } from './replay.ts'
