import { chance } from '../data/chance.ts'
import type { Connection } from '../data/connections.ts'

/** What a connection costs at the nth look, in euros. Made up like the timetable, and as steady: a fare moves around its price. */
export const fareNow = ({ id, price }: Pick<Connection, 'id' | 'price'>, look: number): number =>
  Math.round(price * (0.86 + chance(`fare ${id} ${look}`)() * 0.28))
