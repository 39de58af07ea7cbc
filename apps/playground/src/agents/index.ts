import calculator from './calculator.yaml?raw'
import dataAnalyst from './dataAnalyst.yaml?raw'
import docsReader from './docsReader.yaml?raw'
import fareWatch from './fareWatch.yaml?raw'
import shopper from './shopper.yaml?raw'
import tripPlanner from './tripPlanner.yaml?raw'

/** An agent as the playground offers it. */
export interface Offer {
  readonly id: string
  readonly title: string
  readonly blurb: string
  /** Things to try. */
  readonly prompts: readonly string[]
  /** The file that declares it, as YAML. */
  readonly file: string
}

export const agents: readonly Offer[] = [
  {
    id: 'trip',
    title: 'Trip planner',
    blurb: 'Finds trains, flights and hotels, asks which you like, and books only what you approve.',
    prompts: [
      'Find a train from Paris to Amsterdam and book it',
      'Search hotels in Lisbon below €120',
      'I need a flight to Rome',
    ],
    file: tripPlanner,
  },
  {
    id: 'calculator',
    title: 'Calculator',
    blurb: 'Computes and converts with a real library, so that no digit is a guess.',
    prompts: ['What is 15% of 84.50?', 'Convert 26.2 miles to km', 'Calculate 12 * (3 + 4) and then divide it by 7'],
    file: calculator,
  },
  {
    id: 'docs',
    title: 'Docs reader',
    blurb: 'Searches the documentation of this project and answers with quotes and links.',
    prompts: ['What is a signal?', 'How do I steer a run?', 'Show me the page about tabs'],
    file: docsReader,
  },
  {
    id: 'data',
    title: 'Data analyst',
    blurb: 'Computes on a CSV file from your disk. The model sees only a few of its rows.',
    prompts: [
      'What is the average price by city?',
      'Describe the columns of my file',
      'Show the top 3 rows by revenue',
    ],
    file: dataAnalyst,
  },
  {
    id: 'fares',
    title: 'Fare watch',
    blurb: 'A graph: looks at made-up fares again and again, then asks whether to book. See it walk under “Graph”.',
    prompts: ['Watch fares from Paris to Amsterdam', 'Watch flights from Rome to Berlin', 'Watch trains to Prague'],
    file: fareWatch,
  },
  {
    id: 'shop',
    title: 'Shopper',
    blurb: 'Uses the tools of an MCP server. The shop asks you where to deliver, and every answer survives a reload.',
    prompts: ['Buy 2 mugs', 'Redeem my gift card', 'Open the shelf', 'Count the stock of teapots'],
    file: shopper,
  },
]
