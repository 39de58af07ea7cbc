export { form, tool } from '@interleave/core'
export declare function takePicture(): Promise<string>
