import type { Handler } from '@interleave/server'

/** As in Deno's own types. */
export declare const Deno: { serve(options: { port: number }, handler: Handler): unknown }
