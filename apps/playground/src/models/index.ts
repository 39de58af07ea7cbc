export {
  type CloudConnection,
  type CloudName,
  type Connection,
  labelOf,
  type ServerConnection,
  type Way,
  ways,
} from './connections.ts'
export { createModel } from './createModel.ts'
export { type Diagnosis, diagnose } from './diagnose.ts'
export { type Probe, probe } from './probe.ts'
export { type Secret, secret } from './secret.ts'
