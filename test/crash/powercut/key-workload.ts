import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openSecretHasher } from '../../../kernel/core/src/secrets/secrets.ts'

// Runs in its own process, under preload.c: `key-workload.ts <folder>`. Acknowledges the hash made with the new key.
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: key-workload.ts <folder>')
const acks = openSync(join(folder, '.acks'), 'a')
writeSync(acks, openSecretHasher({ dataDir: join(folder, 'data') }).hash('secret'))
