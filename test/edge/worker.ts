import { coreCases, outcomeOf } from '../portable/coreCases.ts'

/** Runs the case that the address names, and tells what of Node it sees: nothing is there to lean on. */
export default {
  async fetch(request: Request): Promise<Response> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
    const portable = coreCases[name]
    const outcome = portable && (await outcomeOf(portable))
    return Response.json({ outcome, process: typeof process, buffer: typeof Buffer })
  },
}
