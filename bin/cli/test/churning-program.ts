import { limitHeapGrowth } from '../src/heap-growth.ts'

// A heap of constant size whose objects are replaced one after another, as records and caches are. Prints how many times the size of
// the live objects it has at most, after its first collection of garbage.
limitHeapGrowth()
const OBJECTS = 300_000
const [ROUNDS, WARM_UP] = [16, 8]
const make = (n: number): object => ({ n, numbers: Array.from({ length: 8 }, () => n) })
const live = Array.from({ length: OBJECTS }, (_, n) => make(n))
let most = 0
for (let n = 0; n < ROUNDS * OBJECTS; n++) {
  live[n % OBJECTS] = make(n)
  if (n > WARM_UP * OBJECTS && n % 50_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
globalThis.gc?.()
console.log(JSON.stringify({ times: most / process.memoryUsage().heapUsed, objects: live.length }))
