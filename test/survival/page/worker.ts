import { live } from './live.ts'

void live()
