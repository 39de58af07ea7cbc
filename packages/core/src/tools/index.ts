export { askUser } from './askUser.ts'
export { type BundleOptions, bundle } from './bundle.ts'
export { type PinnedOptions, type Pins, pinned, pinsOf } from './pinned.ts'
export { type ToolSourceOptions, toolSource } from './toolSource.ts'
