import { pay, start } from './support.ts'

/** Spends until it is killed, and reports each acknowledged call. */
const gateway = await start({}, { dataDir: process.argv[2] as string })
for (let batch = 0; ; batch++) {
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await pay(gateway, { callId: `call-${batch}-${i}`, costUsd: 0.000_001 * (i + 1) })
      process.stdout.write(`call-${batch}-${i}\n`)
    }),
  )
}
