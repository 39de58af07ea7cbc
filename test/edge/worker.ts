import * as core from '@interleave/core'

/** Tells what it sees of itself: the package in it works, and nothing of Node is there to lean on. */
export default {
  fetch(): Response {
    return Response.json({ names: Object.keys(core).length, process: typeof process, buffer: typeof Buffer })
  },
}
