import { type CloudConnection, type CloudName, cloudUrls, labelOfType } from './connections.ts'
import type { Problem } from './problem.ts'

/** Advice for the user: the problem, what it means, and how to solve it. */
export interface Advice {
  readonly title: string
  readonly explanation: string
  readonly steps: readonly string[]
}

/** The advice with `{name}` and the like replaced by what they stand for. */
export function withWords(advice: Advice, words: Readonly<Record<string, string>>): Advice {
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole)
  return { title: fill(advice.title), explanation: fill(advice.explanation), steps: advice.steps.map(fill) }
}

/** Advice for a provider that is reached with the user's own key. */
export function cloudAdvice(problem: Problem, { type, modelId, route }: CloudConnection): Advice {
  const isHidden = problem === 'network' && route === 'direct'
  const words = {
    name: labelOfType(type),
    host: new URL(cloudUrls[type]).hostname,
    model: modelId,
    console: consoles[type],
  }
  return withWords(isHidden ? hidden : texts[problem], words)
}

const consoles: Readonly<Record<CloudName, string>> = {
  openai: 'https://platform.openai.com/settings',
  anthropic: 'https://console.anthropic.com/settings',
  google: 'https://aistudio.google.com/apikey',
}

/** The message of browsers for every failed direct call. */
const hidden: Advice = {
  title: 'The browser could not reach {name}',
  explanation:
    'The browser does not say why: either {host} cannot be reached, or {name} does not allow requests from this page.',
  steps: [
    'Let the request go through the local proxy, not directly from this browser.',
    'Check that this machine is online.',
    'Switch off blockers for this page.',
  ],
}

const texts: Readonly<Record<Problem, Advice>> = {
  network: {
    title: "The playground's own server does not answer",
    explanation: 'Requests to {name} go through the proxy of the server that serves this page, which has stopped.',
    steps: ['Start the playground again: npm start', 'Or let the request go directly from this browser.'],
  },
  unreachable: {
    title: '{name} cannot be reached',
    explanation: 'This machine cannot reach {host}.',
    steps: [
      'Check that this machine is online.',
      'Check that no firewall or VPN blocks {host}.',
      'Without a network, choose the demo planner or a local server.',
    ],
  },
  origin: {
    title: '{name} does not allow requests from browsers here',
    explanation: '{name} answered, and rejected a request that comes from a page. Some organisations switch this off.',
    steps: [
      'Let the request go through the local proxy, not directly from this browser.',
      'Or allow it in the settings of your organisation: {console}',
    ],
  },
  address: {
    title: '{name} does not know this request',
    explanation: '"{model}" may not exist, or may not be meant for conversations.',
    steps: ['Check the spelling of the model.', 'See which models your key may use: {console}'],
  },
  refused: {
    title: 'The proxy refused the request',
    explanation: 'It answers only the page that it is served with, opened by its localhost address.',
    steps: [
      'Open the playground by the address that npm start prints.',
      'Or let the request go directly from this browser.',
    ],
  },
  key: {
    title: '{name} does not accept the key',
    explanation: 'The key is missing, mistyped, revoked, or lacks the permission.',
    steps: ['Copy the key again, without spaces around it.', 'Check that it is active: {console}'],
  },
  model: {
    title: '{name} has no model "{model}"',
    explanation: 'It is misspelt, was retired, or is not open to this key.',
    steps: ['Check the spelling of the model.', 'See which models your key may use: {console}'],
  },
  quota: {
    title: 'This key has reached a limit of {name}',
    explanation: 'Either too many requests came in a short time, or the credit is used up.',
    steps: ['Wait a minute, then try again.', 'Look at usage and billing: {console}'],
  },
  tools: {
    title: 'This model cannot call tools',
    explanation: '"{model}" answers in text only, and an agent works by calling tools.',
    steps: ['Choose another model of {name}.'],
  },
  size: {
    title: 'The conversation is too long for this model',
    explanation: 'This conversation has more tokens than "{model}" accepts.',
    steps: ['Start a new conversation.', 'Or choose a model of {name} with a larger context.'],
  },
  timeout: {
    title: 'No answer in time',
    explanation: '{name} received the request and did not answer.',
    steps: ['Try again.', 'Try a smaller model.'],
  },
  format: {
    title: 'The answer did not come from {name}',
    explanation: 'Something on the way answered with a page: a proxy or a sign-in page of the network.',
    steps: ['Sign in to the network in another tab, then try again.', 'Try another network.'],
  },
  server: {
    title: '{name} failed',
    explanation: 'The request arrived and failed there. This usually passes.',
    steps: ['Try again in a minute.', 'Look at the status page of {name}.'],
  },
  unknown: {
    title: '{name} refused the request',
    explanation: 'It answered with an error that is not known here.',
    steps: ["Read the provider's words below.", 'Try another model.'],
  },
}
