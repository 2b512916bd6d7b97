import { Turns } from '@gateway/sdk/bounds'

const turns = new Turns()

/** Runs work one after the other for all calls in this process with the same key. */
export const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => turns.run(key, work)
