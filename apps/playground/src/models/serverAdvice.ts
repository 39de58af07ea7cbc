import { type Advice, withWords } from './cloudAdvice.ts'
import type { ServerConnection } from './connections.ts'
import type { Problem } from './problem.ts'

/** The commands for one kind of model server. */
interface ServerCommands {
  readonly name: string
  readonly start: string
  readonly allow: string
  readonly list: string
  /** Gets `{model}`. */
  readonly load: string
  readonly tools: string
}

/** The kind of server that usually listens at an address, by its port. */
function serverAt(url: string): ServerCommands {
  const port = URL.canParse(url) ? new URL(url).port : ''
  if (port === '11434') return ollama
  return port === '1234' ? lmStudio : llamaCpp
}

const ollama: ServerCommands = {
  name: 'Ollama',
  start: 'ollama serve',
  allow: 'OLLAMA_ORIGINS=http://127.0.0.1:5173 ollama serve',
  list: 'ollama list',
  load: 'ollama pull {model}',
  tools: 'Get a model that can: ollama pull qwen3',
}
const lmStudio: ServerCommands = {
  name: 'LM Studio',
  start: 'lms server start',
  allow: 'lms server start --cors',
  list: 'lms ls',
  load: 'lms load {model}',
  tools: 'Load a model that LM Studio marks with the hammer for tool use.',
}
const llamaCpp: ServerCommands = {
  name: 'The server',
  start: 'llama-server -m model.gguf --jinja --port 8080',
  allow: 'llama-server --cors-origins http://127.0.0.1:5173 …',
  list: 'curl http://127.0.0.1:8080/v1/models',
  load: 'llama-server -m {model}.gguf --jinja',
  tools: 'Start llama-server with --jinja and a model whose template knows tools.',
}

/** Advice for a model server on the user's own machine, with the commands of the kind of server that it seems to be. */
export function serverAdvice(problem: Problem, { url, modelId }: ServerConnection): Advice {
  const { load, ...commands } = serverAt(url)
  const where = URL.canParse(url) ? new URL(url).origin : url
  const model = modelId || 'MODEL'
  return withWords(texts[problem], { ...commands, load: withName(load, model), url, where, model })
}

const withName = (command: string, model: string): string => command.replace('{model}', model)

const texts: Readonly<Record<Problem, Advice>> = {
  unreachable: {
    title: 'The model server does not answer',
    explanation: 'Nothing listens at {where}. {name} is probably not running, or uses another port.',
    steps: [
      'Start it: {start}',
      'Check that {url} opens in a browser tab.',
      'Compare the port with the one that the server prints.',
    ],
  },
  network: {
    title: "The playground's own server does not answer",
    explanation: 'Requests to {where} go through the proxy of the server that serves this page, which has stopped.',
    steps: ['Start the playground again: npm start', 'Reload this page by its localhost address.'],
  },
  origin: {
    title: 'The model server does not allow this page',
    explanation: '{name} answered, and rejected the request. By default it accepts only some origins.',
    steps: ['Allow the origin: {allow}', 'Restart the server, then try again.'],
  },
  address: {
    title: 'Wrong address',
    explanation: 'A server answers at {where}, but it has no models at {url}.',
    steps: [
      'The address usually ends in /v1, such as http://127.0.0.1:11434/v1.',
      'Check the port: another program may be using it.',
    ],
  },
  refused: {
    title: 'The proxy does not reach this address',
    explanation:
      'For your safety it reaches only this machine and the three known providers, and answers only this page.',
    steps: ['Use an address on 127.0.0.1 or localhost.', 'Open the playground by its own localhost address.'],
  },
  key: {
    title: 'The server requires a key',
    explanation: 'The server at {where} refused the request, which has no valid key.',
    steps: ['Fill in the key that the server was started with.', 'Or start the server without one.'],
  },
  model: {
    title: 'No model "{model}" there',
    explanation: 'The server works, but does not have "{model}".',
    steps: ['See what there is: {list}', 'Get it: {load}', 'Check the spelling, tag included.'],
  },
  quota: {
    title: 'Too many requests',
    explanation: 'The server is busy, or limits how often it may be asked.',
    steps: ['Wait a moment, then try again.', 'End other programs that use the same server.'],
  },
  tools: {
    title: 'This model cannot call tools',
    explanation: '"{model}" answers in text only, and an agent works by calling tools.',
    steps: ['{tools}', 'Then choose that model here.'],
  },
  size: {
    title: 'The conversation is too long for this model',
    explanation: '"{model}" was loaded with room for fewer tokens than this conversation has.',
    steps: ['Start a new conversation.', 'Or load the model with a larger context.'],
  },
  timeout: {
    title: 'No answer in time',
    explanation:
      'The server at {where} received the request and did not answer. A model that is being loaded for the first time may need minutes.',
    steps: ["Look at the server's own output.", 'Try again once the model is loaded.', 'Try a smaller model.'],
  },
  format: {
    title: 'That is not a model server',
    explanation: 'Something answers at {url}, but with a page or a text that no model server sends.',
    steps: ['Check the port: another program may be using it.', 'The address usually ends in /v1.'],
  },
  server: {
    title: 'The model server failed',
    explanation: 'It accepted the request and then failed.',
    steps: [
      "Look at the server's own output.",
      'A model too large for the memory is the usual reason: try a smaller one.',
    ],
  },
  unknown: {
    title: 'The model server refused the request',
    explanation: 'The server at {where} answered with an error that is not known here.',
    steps: ["Read the server's words below.", "Look at the server's own output."],
  },
}
