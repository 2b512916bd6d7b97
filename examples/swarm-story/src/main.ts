import { setTimeout } from 'node:timers/promises'
import { tellStory } from './index.ts'

const pass = (seconds: number): Promise<void> => setTimeout(seconds * 1000)
await tellStory(process.argv[2] ?? 'http://127.0.0.1:7411', pass, (line) => console.log(line))
