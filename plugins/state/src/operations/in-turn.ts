import { Turns } from '@gateway/sdk/bounds'

const turns = new Turns()

export const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => turns.run(key, work)
