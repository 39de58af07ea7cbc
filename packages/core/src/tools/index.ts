export { askUser } from './askUser.ts'
export { type BundleOptions, bundle, type PinnedOptions, type Pins, pinned, pinsOf } from './bundle.ts'
export { type ToolSourceOptions, toolSource } from './toolSource.ts'
